import type { Role } from '#server/generated/prisma/enums.ts';

/** Roles that can connect the platform and manage the workspace (docs/spec.md §1). */
export const ADMIN_ROLES = ['owner', 'admin'] as const satisfies Role[];

/** Roles that can have conversations: all but viewers (docs/spec.md §4.2, GET /users). */
export const WORKING_ROLES = ['owner', 'admin', 'agent'] as const satisfies Role[];

/** Returns whether a role can connect, act through a connection and manage the workspace. */
export function isAdmin(role: Role): boolean {
  return ADMIN_ROLES.some((admin) => admin === role);
}

export const VIEWERS_READ_ONLY =
  'Viewers of this workspace can read conversations and change nothing. Ask an owner or admin for another role.';
