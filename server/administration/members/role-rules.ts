import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Db, Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
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

/**
 * Refuses what would leave a workspace without an owner. The caller holds the workspace's lock and is about to take
 * the role from one who is owner, so that of two who do this at once the second counts what the first left.
 */
export async function refuseLastOwner(
  tx: Tx,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<void> {
  if ((await tx.member.count({ where: { workspaceId, role: 'owner' } })) > 1) return;
  throw invalid({ role: [lastOwnerSentence(name)] });
}

/** Why the last owner stays as they are. */
export function lastOwnerSentence(name: string): string {
  return `${name} is the last owner of this workspace. Make someone else an owner first.`;
}

/** Someone in a workspace. */
export type FoundMember = { teammate: Teammate; role: Role; joinedAt: Date };

/**
 * A member of a workspace. Roles and memberships change only while the workspace is locked: to a transaction that holds
 * that lock this stays true.
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
