import type { Tx } from '#server/core/database/db.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { ADMIN_ROLES, WORKING_ROLES } from '#server/teammates/roles.ts';

/**
 * Who is notified that a conversation is overdue: its assignee; of one that is no one's those of its team who can take
 * conversations; where there are none, the owners and admins.
 * @returns ids of users
 */
export async function findRecipients(
  tx: Tx,
  { workspaceId, assignee, team }: LockedConversation,
): Promise<string[]> {
  if (assignee) return [assignee.id];
  const ofTeam = team
    ? await tx.member.findMany({
        where: { workspaceId, role: { in: [...WORKING_ROLES] }, teams: { some: { teamId: team.id } } },
        select: { userId: true },
      })
    : [];
  const recipients =
    ofTeam.length > 0
      ? ofTeam
      : await tx.member.findMany({
          where: { workspaceId, role: { in: [...ADMIN_ROLES] } },
          select: { userId: true },
        });
  return recipients.map(({ userId }) => userId);
}
