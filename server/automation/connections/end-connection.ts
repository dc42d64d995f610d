import { freeUnusedSlot } from '#server/automation/connections/free-unused-slot.ts';
import { notifyOwnersOfEnd } from '#server/automation/connections/notify-owners.ts';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import type { ConnectionEnd, HookRemoval } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';

/** What the record of a removed hook says when its connection ended. */
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
 * Ends a connection for good: its tokens stop, its hooks are removed, the workspace's slot is freed with the last one
 * (spec.md §3), and owners are notified when no teammate ended it. Ending an ended connection changes nothing. Locks
 * workspace, then connection.
 * @param by the teammate who ends it; undefined when none does
 * @returns whether it was active until now
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
  // One that was exchanged at the last moment is not "never exchanged".
  const count = await tx.$executeRaw`
    update connections set ended_at = ${endedAt}::timestamptz, end_reason = ${reason}::connection_end
    where id = ${id}::uuid and ended_at is null and (exchanged_at is null or ${reason}::text <> 'never_exchanged')`;
  if (count === 0) return false;
  await tx.refreshToken.updateMany({
    where: { connectionId: id, revokedAt: null },
    data: { revokedAt: endedAt },
  });
  await removeHooks(tx, { connectionId: id }, HOOK_REMOVALS[reason]);
  await freeUnusedSlot(tx, workspaceId);
  await addAuditEntry(tx, { workspaceId, kind: 'connection_ended', connectionId: id, by, data: { reason } });
  await notifyOwnersOfEnd(tx, { id, workspaceId, reason, by, now: endedAt });
  afterCommit(tx, () => {
    log().info({ connectionId: id, workspaceId, reason, by: by?.id }, 'connection.ended');
    publish(workspaceId, 'deliveries');
  });
  return true;
}
