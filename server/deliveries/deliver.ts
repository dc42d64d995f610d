import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { checkStillAllowed } from '#server/connections/check-still-allowed.ts';
import { inTransaction } from '#server/db.ts';
import { attemptDelivery } from '#server/deliveries/attempt-delivery.ts';
import { cancelDelivery } from '#server/deliveries/cancel-deliveries.ts';
import { type ClaimedDelivery, claimDelivery, type DueAttempt } from '#server/deliveries/claim-delivery.ts';
import { handOn } from '#server/deliveries/hand-on.ts';
import { noteAttempt } from '#server/deliveries/note-attempt.ts';
import { planNextAttempt } from '#server/deliveries/plan-next-attempt.ts';
import { type MadeAttempt, recordAttempt } from '#server/deliveries/record-attempt.ts';
import { settings } from '#server/env.ts';
import { persistently } from '#server/persistently.ts';
import { isManaging } from '#server/teammates/roles.ts';

/**
 * One attempt of a delivery: claim its slot, check its connection, send it, record what came of it, and hand the
 * slot on. Run again after a crash it goes on where it was: what was recorded is not sent again, and a slot that was
 * freed is handed on.
 */
export async function deliver(dispatcher: Dispatcher, due: DueAttempt): Promise<void> {
  const claim = await persistently(() => claimDelivery(due));
  if (claim.kind === 'made') await handOn(claim.hookId);
  if (claim.kind !== 'claimed') return;
  const { delivery } = claim;
  if (!(await mayDeliver(delivery))) {
    await cancelDelivery({ id: delivery.id, hookId: delivery.hook_id });
    return;
  }
  if (delivery.starts_in_ms > 0) await sleep(delivery.starts_in_ms);

  const attempt = await makeAttempt(dispatcher, delivery, due.attempt);
  const number = due.attempt - delivery.earlier_attempts;
  const next = planNextAttempt(attempt.result, number, settings().DELIVERY_RETRY_DELAYS);
  const { recorded, othersWait } = await persistently(() => recordAttempt(delivery, attempt, next));
  noteAttempt(delivery, attempt, { next, recorded });
  // If it was recorded before, whoever did so may not have got to handing the slot on.
  if (othersWait || !recorded) await persistently(() => handOn(delivery.hook_id));
}

async function makeAttempt(
  dispatcher: Dispatcher,
  delivery: ClaimedDelivery,
  number: number,
): Promise<MadeAttempt> {
  const { event_id: eventId, event_key: eventKey, body, target_url: targetUrl } = delivery;
  const startedAt = new Date();
  const start = performance.now();
  const sent = { eventId, eventKey, body, targetUrl };
  const result = await attemptDelivery(dispatcher, sent, settings().HOOKS_HOST);
  return { number, startedAt, durationMs: Math.round(performance.now() - start), result };
}

/**
 * Whether a delivery may still be sent: its hook is live, and the teammate of its connection is still owner or
 * admin. If not so, the connection ends here, and with it its hooks (decisions: hooks, events, deliveries, 8).
 */
async function mayDeliver(delivery: ClaimedDelivery): Promise<boolean> {
  if (!delivery.hook_is_live) return false;
  if (delivery.role && isManaging(delivery.role)) return true;
  const { connection_id: id, workspace_id: workspaceId, user_id: userId } = delivery;
  return inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
}
