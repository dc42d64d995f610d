import { validate as isUuid } from 'uuid';
import { PLATFORM_INTEGRATION } from '#server/automation/connections/slots.ts';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import type { ConnectionEnd, HookRemoval, Role } from '#server/generated/prisma/enums.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { NOTIFIED_ENDS, type NotifiedEnd } from '#server/teammates/notification-content.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

const HOOK_REMOVALS: Record<ConnectionEnd, HookRemoval> = {
  disconnected: 'disconnected',
  teammate_left: 'teammate_left',
  teammate_deleted: 'teammate_left',
  workspace_deleted: 'disconnected',
  not_allowed: 'not_allowed',
  revoked_by_platform: 'revoked_by_platform',
  code_reused: 'revoked_by_platform',
  never_exchanged: 'revoked_by_platform',
};

/**
 * Ends a connection permanently: tokens stop working, hooks are removed, and the last connection frees the
 * workspace's slot (docs/spec.md §3). Notifies owners when no teammate ended the connection. Does nothing if
 * the connection has already ended. Locks workspace, then connection.
 * @param by the teammate who ends it; undefined when ended automatically
 * @returns whether the connection was active
 */
export async function endConnection(
  tx: Tx,
  { id, reason, by }: { id: string; reason: ConnectionEnd; by?: Teammate | undefined },
): Promise<boolean> {
  const [connection] = await tx.$queryRaw<{ workspaceId: string | null }[]>`
    select workspace_id as "workspaceId" from connections where id = ${id}::uuid`;
  if (!connection?.workspaceId) return false;
  const { workspaceId } = connection;
  await lockWorkspace(tx, workspaceId);

  const endedAt = new Date();
  // A connection whose code was just exchanged must not end as "never exchanged".
  const count = await tx.$executeRaw`
    update connections set ended_at = ${endedAt}::timestamptz, end_reason = ${reason}::connection_end
    where id = ${id}::uuid and ended_at is null and (exchanged_at is null or ${reason}::text <> 'never_exchanged')`;
  if (count === 0) return false;
  await tx.refreshToken.updateMany({
    where: { connectionId: id, revokedAt: null },
    data: { revokedAt: endedAt },
  });
  await removeHooks(tx, { connectionId: id }, HOOK_REMOVALS[reason]);
  // Frees the platform's slot with the last active connection. The workspace is locked.
  await tx.integration.deleteMany({
    where: { workspaceId, kind: PLATFORM_INTEGRATION, connections: { none: { endedAt: null } } },
  });
  await addAuditEntry(tx, { workspaceId, kind: 'connection_ended', connectionId: id, by, data: { reason } });
  await notifyOwnersOfEnd(tx, { id, workspaceId, reason, by, now: endedAt });
  afterCommit(tx, () => {
    log().info({ connectionId: id, workspaceId, reason, by: by?.id }, 'connection.ended');
    publish(workspaceId, 'deliveries');
  });
  return true;
}

type Notified = { userId: string | null; exchangedAt: Date | null; teammateName: string };

/**
 * Notifies the workspace's owners that a connection ended, in the transaction that ends it. Sends nothing for
 * a disconnection by an owner or admin, or for a connection whose code was never exchanged. Skips the owner
 * who caused the end, and a teammate who leaves. Names the teammate as now, or as at the time of connecting if
 * the account is deleted.
 */
async function notifyOwnersOfEnd(
  tx: Tx,
  ended: { id: string; workspaceId: string; reason: ConnectionEnd; by: Teammate | undefined; now: Date },
): Promise<void> {
  const { id, workspaceId, by, now } = ended;
  const reason: NotifiedEnd | undefined = NOTIFIED_ENDS.find((end) => end === ended.reason);
  if (!reason) return;
  const [connection] = await tx.$queryRaw<Notified[]>`
    select c.user_id as "userId", c.exchanged_at as "exchangedAt",
      coalesce(u.name, c.teammate_name) as "teammateName"
    from connections c left join users u on u.id = c.user_id and u.deleted_at is null
    where c.id = ${id}::uuid`;
  if (!connection?.exchangedAt) return;
  const { userId, teammateName } = connection;
  const isGone = reason === 'teammate_left' || reason === 'teammate_deleted';
  await notifyManagers(tx, {
    workspaceId,
    content: { kind: 'connection_ended', data: { connectionId: id, teammateName, reason } },
    except: [by?.id ?? null, isGone ? userId : null],
    now,
  });
}

/**
 * Disconnects a connection on behalf of an owner or admin. Does nothing if it has already ended.
 * @throws Refusal when the workspace has no such connection
 */
export async function disconnect(which: {
  workspaceId: string;
  connectionId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, connectionId: id, by } = which;
  await inTransaction(async (tx) => {
    const known = isUuid(id) ? await tx.connection.count({ where: { id, workspaceId } }) : 0;
    if (known === 0) throw notFound('The connection');
    await endConnection(tx, { id, reason: 'disconnected', by });
  });
}

/**
 * Returns whether the connection's teammate may still connect. If not, ends the connection, as when a token
 * is requested or an event is delivered (docs/spec.md §1, connection management).
 */
export async function checkStillAllowed(
  tx: Tx,
  connection: { id: string; workspaceId: string | null; userId: string | null },
): Promise<boolean> {
  const { workspaceId, userId } = connection;
  const [member] =
    workspaceId && userId
      ? await tx.$queryRaw<{ role: Role }[]>`
          select role from members where workspace_id = ${workspaceId}::uuid and user_id = ${userId}::uuid`
      : [];
  if (member && isAdmin(member.role)) return true;
  await endConnection(tx, { id: connection.id, reason: member ? 'not_allowed' : 'teammate_left' });
  return false;
}
