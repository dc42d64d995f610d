import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db, Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { Role } from '#server/generated/prisma/enums.ts';

/** Roles that an admin can give. */
const BELOW_OWNER = [Role.admin, Role.agent, Role.viewer];

/**
 * Returns the roles that `by` may give to a teammate with role `of`, the current role included. An empty list
 * means that `by` may not change the teammate. Only owners add or remove owners. `refuseLastOwner` protects
 * the last owner.
 */
export function rolesToGive(by: Role, of: Role): Role[] {
  if (by === 'owner') return Object.values(Role);
  if (by === 'admin' && of !== 'owner') return BELOW_OWNER;
  return [];
}

export function rolesToInvite(by: Role): Role[] {
  return rolesToGive(by, 'viewer');
}

/** Returns whether `by` may remove a teammate with role `of`. Everyone may leave. */
export function mayRemove(by: Role, of: Role): boolean {
  return rolesToGive(by, of).length > 0;
}

/**
 * Refuses a change that would leave a workspace without an owner. The caller holds the workspace lock and is
 * about to take the role from an owner. The second of two simultaneous changes therefore counts the result
 * of the first.
 */
export async function refuseLastOwner(tx: Tx, { workspaceId }: { workspaceId: string }): Promise<void> {
  if ((await tx.member.count({ where: { workspaceId, role: 'owner' } })) > 1) return;
  throw invalid({ role: [ONLY_OWNER] });
}

/** Shown to the owner: only owners may change an owner, so nobody else can be refused. */
export const ONLY_OWNER =
  'You are the only owner. To leave or change your role, first make someone else an owner.';

/** Refusal of a change to the teammates of a test workspace. */
export const FOLLOWS_WORKSPACE =
  'A test workspace has the teammates and roles of its workspace. Change them there.';

export type FoundMember = { teammate: Teammate; role: Role; joinedAt: Date };

/**
 * Finds a member of a workspace. Roles and memberships change only under the workspace lock, so the result
 * stays valid for a transaction that holds the lock.
 * @throws Refusal when the workspace has no such member
 */
export async function findMember(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<FoundMember> {
  const member = isUuid(userId)
    ? await db.member.findFirst({
        where: { workspaceId, userId, workspace: { deletedAt: null } },
        select: { role: true, createdAt: true, user: { select: { id: true, name: true, email: true } } },
        relationLoadStrategy: 'join',
      })
    : null;
  if (!member) throw notFound('The teammate');
  return { teammate: member.user, role: member.role, joinedAt: member.createdAt };
}
