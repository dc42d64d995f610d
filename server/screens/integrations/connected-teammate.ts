/** What must be selected of a connection to name who made it. */
export const connectedTeammateSelect = {
  teammateName: true,
  teammateEmail: true,
  user: { select: { name: true, email: true, deletedAt: true } },
} as const;

type Selected = {
  teammateName: string;
  teammateEmail: string;
  user: { name: string; email: string; deletedAt: Date | null } | null;
};

/** Who made a connection: as they are called now, or, once their account is deleted, as they were then. */
export function connectedTeammate({ user, teammateName, teammateEmail }: Selected) {
  if (user && !user.deletedAt) return { name: user.name, email: user.email };
  return { name: teammateName, email: teammateEmail };
}
