import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/db.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

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
