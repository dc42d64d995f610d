import { endConnection } from '#server/automation/connections/end-connection.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/db.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';

/**
 * Ends every connection of a workspace that is deleted, in that transaction and before its row goes: connections
 * outlive it, so that late calls still get the reason of their refusal. Locks workspace, then connections.
 * @param by who deletes it
 * @returns how many were active until now
 */
export async function endConnectionsOfWorkspace(tx: Tx, workspaceId: string, by?: Teammate): Promise<number> {
  await lockWorkspace(tx, workspaceId);
  const active = await tx.connection.findMany({
    where: { workspaceId, endedAt: null },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  for (const { id } of active) await endConnection(tx, { id, reason: 'workspace_deleted', by });
  return active.length;
}
