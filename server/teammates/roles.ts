import type { Role } from '#server/generated/prisma/enums.ts';

/** Who may connect the platform and manage the workspace (spec.md §1). */
export const ADMIN_ROLES = ['owner', 'admin'] as const satisfies Role[];

/** Who can take conversations: everyone but viewers (spec.md §4.2, GET /users). */
export const WORKING_ROLES = ['owner', 'admin', 'agent'] as const satisfies Role[];

/** Whether a role may connect, act through a connection and manage. */
export function isAdmin(role: Role): boolean {
  return ADMIN_ROLES.some((admin) => admin === role);
}

/** The sentence for viewers, who read only. */
export const VIEWERS_READ_ONLY =
  'Viewers of this workspace can read everything and change nothing. Ask an owner or admin for another role.';
