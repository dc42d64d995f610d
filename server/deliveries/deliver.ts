import type { Dispatcher } from 'undici';
import { checkStillAllowed } from '#server/connections/check-still-allowed.ts';
import { db, inTransaction } from '#server/db.ts';
import { attemptDelivery } from '#server/deliveries/attempt-delivery.ts';
import { type DueDelivery, findDueDelivery } from '#server/deliveries/find-due-delivery.ts';
import { planNextAttempt } from '#server/deliveries/plan-next-attempt.ts';
import { recordAttempt } from '#server/deliveries/record-attempt.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { isManaging } from '#server/teammates/roles.ts';

/**
 * One attempt of a delivery, from the check of its connection to the record of what came of it.
 * @param attempt counts from 1
 */
export async function deliver(
  dispatcher: Dispatcher,
  { deliveryId, attempt }: { deliveryId: string; attempt: number },
): Promise<void> {
  const delivery = await findDueDelivery(deliveryId, attempt);
  if (!delivery) return;
  if (!(await mayDeliver(delivery))) {
    await cancel(deliveryId);
    return;
  }
  const { HOOKS_HOST, DELIVERY_RETRY_DELAYS } = settings();
  const startedAt = new Date();
  const start = performance.now();
  const { event_id: eventId, event_key: eventKey, body, target_url: targetUrl } = delivery;
  const result = await attemptDelivery(dispatcher, { eventId, eventKey, body, targetUrl }, HOOKS_HOST);
  const durationMs = Math.round(performance.now() - start);

  const next = planNextAttempt(result, attempt, DELIVERY_RETRY_DELAYS);
  const recorded = await recordAttempt(delivery, { number: attempt, startedAt, durationMs, result }, next);
  log().info(
    {
      deliveryId,
      eventId,
      event: eventKey,
      hookId: delivery.hook_id,
      attempt,
      outcome: result.kind,
      status: 'answer' in result ? result.answer.statusCode : undefined,
      error: 'error' in result ? result.error : undefined,
      durationMs,
      next: next.kind === 'retry' ? `in ${next.delaySeconds} s` : next.outcome,
      recorded,
    },
    'delivery.attempted',
  );
}

/**
 * Whether a delivery may still be sent: its hook is live, and the teammate of its connection is still owner or
 * admin. If not so, the connection ends here, and with it its hooks (decisions: hooks, events, deliveries, 8).
 */
async function mayDeliver(delivery: DueDelivery): Promise<boolean> {
  if (!delivery.hook_is_live) return false;
  if (delivery.role && isManaging(delivery.role)) return true;
  const { connection_id: id, workspace_id: workspaceId, user_id: userId } = delivery;
  return inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
}

async function cancel(deliveryId: string): Promise<void> {
  await db().delivery.updateMany({
    where: { id: deliveryId, endedAt: null },
    data: { endedAt: new Date(), outcome: 'cancelled', nextAttemptAt: null },
  });
}
