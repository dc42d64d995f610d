import { endConnection } from '#server/automation/connections/end-connection.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

type Whose = {
  userId: string;
  /** In this workspace alone; in all of them when left out. */
  workspaceId?: string;
  /** Who removes the teammate; left out when they go themselves. */
  by?: Teammate | undefined;
};

/**
 * Ends the connections of a teammate who leaves, is removed or is deleted, in that transaction (spec.md §1; decisions:
 * OAuth, 14). To be called before the membership goes. Locks their workspaces in the order of their ids, whether
 * anything is connected there or not, so that nothing they are just approving is missed; then the connections.
 * @returns how many were active until now
 */
export async function endConnectionsOf(
  tx: Tx,
  { userId, workspaceId, by }: Whose,
  reason: 'teammate_left' | 'teammate_deleted',
): Promise<number> {
  const only = workspaceId ?? null;
  await tx.$executeRaw`
    select from workspaces w
    where (${only}::uuid is null or w.id = ${only}::uuid) and (
      exists (select from members m where m.workspace_id = w.id and m.user_id = ${userId}::uuid)
      or exists (
        select from connections c
        where c.workspace_id = w.id and c.user_id = ${userId}::uuid and c.ended_at is null
      )
    )
    order by w.id for no key update`;
  const active = await tx.connection.findMany({
    where: { userId, endedAt: null, ...(workspaceId ? { workspaceId } : {}) },
    select: { id: true },
    orderBy: [{ workspaceId: 'asc' }, { id: 'asc' }],
  });
  for (const { id } of active) await endConnection(tx, { id, reason, by });
  return active.length;
}

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

/**
 * Ends connections whose code was never exchanged within its life, and frees their slots (decisions: OAuth, 1).
 * @returns how many ended
 */
export async function endUnexchangedConnections(): Promise<number> {
  return processDue('connection.not_ended', {
    find: (limit, after) => db().$queryRaw<{ id: string }[]>`
      select c.id from connections c
      where c.ended_at is null and c.exchanged_at is null and c.id > ${after}::uuid
        and not exists (
          select from authorization_codes a where a.connection_id = c.id and a.expires_at > now()
        )
      order by c.id limit ${limit}::int`,
    work: async ({ id }) =>
      Boolean(await inTransaction((tx) => endConnection(tx, { id, reason: 'never_exchanged' }))),
  });
}
