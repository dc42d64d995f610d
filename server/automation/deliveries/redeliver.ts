import { validate as isUuid } from 'uuid';
import { isOfRemoved } from '#server/automation/deliveries/cancel-events.ts';
import { wakeHooks } from '#server/automation/deliveries/hook-queue.ts';
import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * Sends a finished delivery once more: same event id, same bytes, with a full schedule of attempts. Locks the
 * hook, so that only one of several concurrent requests succeeds, and none for a hook being removed.
 * @throws Refusal when the delivery is unknown or being sent, its hook was removed, or its conversation is spam or deleted
 */
export async function redeliver(
  tx: Tx,
  which: { workspaceId: string; id: string; by: Teammate; platformName: string },
): Promise<void> {
  const { workspaceId, id, by, platformName } = which;
  const hook = isUuid(id) ? await lockHook(tx, { workspaceId, id }) : undefined;
  if (!hook) throw notFound('The event');
  if (hook.removalReason) {
    const { why, whatToDo } = explainRemoval(hook.removalReason, {
      platformName,
      teammateName: hook.teammateName,
    });
    const then = whatToDo ?? `Turn it on in ${platformName} first.`;
    throw invalid({
      delivery: [`This workflow no longer receives events. ${why} ${then} It will then receive new ones.`],
    });
  }
  if (await isOfRemoved(tx, { workspaceId, deliveryId: id })) throw invalid({ delivery: [REMOVED] });
  const queued = await tx.$executeRaw`
    update deliveries set ended_at = null, outcome = null, next_attempt_at = now(),
      earlier_attempts = attempts, had_error_status = false
    where id = ${id}::uuid and workspace_id = ${workspaceId}::uuid and ended_at is not null`;
  if (queued === 0) {
    throw invalid({ delivery: ['This event is already being sent. Its result will be shown here.'] });
  }
  await wakeHooks(tx, [hook.id]);
  await addAuditEntry(tx, {
    workspaceId,
    kind: 'event_redelivered',
    connectionId: hook.connectionId,
    by,
    data: { deliveryId: id, hookId: hook.id },
  });
}

const REMOVED = 'This event is about a spam or deleted conversation. Move it back to the inbox first.';

type LockedHook = {
  id: string;
  connectionId: string;
  removalReason: HookRemoval | null;
  teammateName: string;
};

async function lockHook(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<LockedHook | undefined> {
  const [hook] = await tx.$queryRaw<LockedHook[]>`
    select h.id, h.connection_id as "connectionId", h.removal_reason as "removalReason",
      coalesce(u.name, c.teammate_name) as "teammateName"
    from deliveries d
    join hooks h on h.id = d.hook_id
    join connections c on c.id = h.connection_id
    left join users u on u.id = c.user_id
    where d.id = ${id}::uuid and d.workspace_id = ${workspaceId}::uuid
    for no key update of h`;
  return hook;
}
