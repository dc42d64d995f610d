import { Role } from '#server/generated/prisma/enums.ts';

/** What an admin may make of someone. */
const BELOW_OWNER = [Role.admin, Role.agent, Role.viewer];

/**
 * The roles that someone may give a teammate of a role, that one among them; empty: they may not touch that teammate.
 * Only owners make and unmake owners. That the last owner stays is no matter of roles alone: `refuseLastOwner`.
 */
export function rolesToGive(by: Role, of: Role): Role[] {
  if (by === 'owner') return Object.values(Role);
  if (by === 'admin' && of !== 'owner') return BELOW_OWNER;
  return [];
}

/** The roles to which someone may invite. */
export function rolesToInvite(by: Role): Role[] {
  return rolesToGive(by, 'viewer');
}

/** Whether someone may remove a teammate of a role. Leaving by oneself is another matter. */
export function mayRemove(by: Role, of: Role): boolean {
  return rolesToGive(by, of).length > 0;
}
