import { endConnection } from '#server/automation/connections/end-connection.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

type Whose = {
  userId: string;
  /** Only in this workspace; in all workspaces when omitted. */
  workspaceId?: string;
  /** The teammate who removes them; omitted when they leave themselves. */
  by?: Teammate | undefined;
};

/**
 * Ends the connections of a teammate who leaves, is removed or is deleted, in that transaction (docs/spec.md
 * §1; docs/rulings.md 4.14). Call before the membership is deleted. Locks the teammate's workspaces in the
 * order of their ids, even those without a connection, so that a concurrent approval is not missed. Then locks
 * the connections.
 * @returns the number of connections that were active
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
  return endActive(tx, { userId, ...(workspaceId ? { workspaceId } : {}) }, { reason, by });
}

/**
 * Ends every connection of a workspace that is deleted, in that transaction and before its row is deleted.
 * Connections outlive the workspace, so that later calls still get the reason. Locks workspace, then
 * connections.
 * @param by the teammate who deletes the workspace
 * @returns the number of connections that were active
 */
export async function endConnectionsOfWorkspace(tx: Tx, workspaceId: string, by?: Teammate): Promise<number> {
  await lockWorkspace(tx, workspaceId);
  return endActive(tx, { workspaceId }, { reason: 'workspace_deleted', by });
}

async function endActive(
  tx: Tx,
  where: { userId?: string; workspaceId?: string },
  end: { reason: ConnectionEnd; by: Teammate | undefined },
): Promise<number> {
  const active = await tx.connection.findMany({
    where: { ...where, endedAt: null },
    select: { id: true },
    orderBy: [{ workspaceId: 'asc' }, { id: 'asc' }],
  });
  for (const { id } of active) await endConnection(tx, { id, ...end });
  return active.length;
}

/**
 * Ends connections whose code expired without an exchange, and frees their slots (docs/rulings.md 4.1).
 * @returns the number of ended connections
 */
export async function endUnexchangedConnections(): Promise<number> {
  return processDue('connection.not_ended', {
    find: (limit, after) => sql().$queryRaw<{ id: string }[]>`
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
