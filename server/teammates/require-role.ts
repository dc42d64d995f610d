import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** The sentence for a teammate who is neither owner nor admin. */
export const ONLY_MANAGERS = 'Only owners and admins of the workspace can do this.';
/** The sentence for a teammate who is no owner. */
export const ONLY_OWNERS = 'Only an owner of the workspace can do this.';

type Whose = { workspaceId: string; userId: string };

/**
 * The role of a teammate who changes something in a workspace, as it is now: since their page was loaded they may have
 * been demoted or removed. The caller holds the workspace's lock, so that the role stays.
 * @throws Refusal unless owner or admin
 */
export async function requireManager(tx: Tx, whose: Whose): Promise<Role> {
  const role = await roleOf(tx, whose);
  if (!role || !isAdmin(role)) throw new Refusal('forbidden', ONLY_MANAGERS);
  return role;
}

/** The same for what only owners do. Throws a Refusal unless owner. */
export async function requireOwner(tx: Tx, whose: Whose): Promise<void> {
  if ((await roleOf(tx, whose)) !== 'owner') throw new Refusal('forbidden', ONLY_OWNERS);
}

async function roleOf(tx: Tx, { workspaceId, userId }: Whose): Promise<Role | undefined> {
  const member = await tx.member.findFirst({
    where: { workspaceId, userId, workspace: { deletedAt: null } },
    select: { role: true },
  });
  return member?.role;
}

/**
 * Runs a change of what owners and admins set up, in a transaction that holds the workspace, so that those who count
 * what it has follow one another.
 * @throws Refusal unless `by` is owner or admin at this moment
 */
export async function asManager<T>(
  { workspaceId, by }: { workspaceId: string; by: Teammate },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    return work(tx);
  });
}

/**
 * Locks a workspace's row, so that those who count what it holds (slots, hooks) or end its connections follow one
 * another. `for no key update`: rows that refer to the workspace can be inserted meanwhile.
 */
export async function lockWorkspace(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`select from workspaces where id = ${id}::uuid for no key update`;
}
