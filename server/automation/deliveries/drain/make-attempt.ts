import type { Dispatcher } from 'undici';
import { attemptDelivery } from '#server/automation/deliveries/attempt-delivery.ts';
import type { DueDelivery, DueHook } from '#server/automation/deliveries/drain/read-due.ts';
import { planNextAttempt } from '#server/automation/deliveries/plan-next-attempt.ts';
import type { MadeAttempt } from '#server/automation/deliveries/record-attempts.ts';
import { settings } from '#server/core/env.ts';

/**
 * Makes the attempt of a delivery that is due, and plans by its result what follows. Never rejects.
 * @returns null when nothing was sent, as the lease may have been lost meanwhile
 */
export async function makeAttempt(
  dispatcher: Dispatcher,
  hook: DueHook,
  due: DueDelivery,
): Promise<MadeAttempt | null> {
  const { HOOKS_HOST, DELIVERY_RETRY_DELAYS } = settings();
  const { event: eventKey, targetUrl, hookId, workspaceId } = hook;
  const { id, eventId, body } = due;
  const startedAt = new Date();
  const start = performance.now();
  const result = await attemptDelivery(dispatcher, { eventId, eventKey, body, targetUrl }, HOOKS_HOST);
  if (result === null) return null;
  const number = due.attempts + 1;
  return {
    delivery: { id, eventId, eventKey, hookId, workspaceId },
    number,
    startedAt,
    durationMs: Math.round(performance.now() - start),
    result,
    next: planNextAttempt(result, number - due.earlierAttempts, DELIVERY_RETRY_DELAYS),
  };
}
