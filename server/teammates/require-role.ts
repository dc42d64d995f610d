import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Refusal } from '#server/core/errors.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export const ONLY_MANAGERS = 'Only owners and admins of the workspace can do this.';
export const ONLY_OWNERS = 'Only an owner of the workspace can do this.';

type By = { workspaceId: string; by: Teammate };

type Membership = { workspaceId: string; userId: string };

/**
 * Returns the current role of a teammate who changes a workspace; they may have been demoted or removed since
 * their page was loaded. The caller holds the workspace lock, so that the role cannot change.
 * @throws Refusal unless owner or admin
 */
export async function requireManager(tx: Tx, whose: Membership): Promise<Role> {
  const role = await roleOf(tx, whose);
  if (!role || !isAdmin(role)) throw new Refusal('forbidden', ONLY_MANAGERS);
  return role;
}

async function roleOf(tx: Tx, { workspaceId, userId }: Membership): Promise<Role | undefined> {
  const member = await tx.member.findFirst({
    where: { workspaceId, userId, workspace: { deletedAt: null } },
    select: { role: true },
  });
  return member?.role;
}

/**
 * Runs a change in a transaction that locks the workspace, so that changes that count its rows are serialized.
 * Passes the current role of `by`, undefined when they are no longer a member.
 */
export function inLockedWorkspace<T>(
  { workspaceId, by }: By,
  work: (tx: Tx, role: Role | undefined) => Promise<T>,
): Promise<T> {
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    return work(tx, await roleOf(tx, { workspaceId, userId: by.id }));
  });
}

/**
 * Runs a change as `inLockedWorkspace` does.
 * @throws Refusal unless `by` is an owner or admin now
 */
export function asManager<T>(who: By, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inLockedWorkspace(who, (tx, role) => {
    if (!role || !isAdmin(role)) throw new Refusal('forbidden', ONLY_MANAGERS);
    return work(tx);
  });
}

/** Runs a change as `asManager` does. @throws Refusal unless `by` is an owner now */
export function asOwner<T>(who: By, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inLockedWorkspace(who, (tx, role) => {
    if (role !== 'owner') throw new Refusal('forbidden', ONLY_OWNERS);
    return work(tx);
  });
}

/**
 * Locks a workspace's row, which serializes transactions that count its slots or hooks or end its
 * connections. `for no key update` allows simultaneous inserts of rows that refer to the workspace.
 */
export async function lockWorkspace(tx: SqlDb, id: string): Promise<void> {
  await tx.$executeRaw`select from workspaces where id = ${id}::uuid for no key update`;
}
