import { type AttemptResult, resultOfResponse } from '#server/automation/deliveries/attempt-result.ts';
import { planNextAttempt } from '#server/automation/deliveries/plan-next-attempt.ts';
import {
  type AttemptedDelivery,
  type MadeAttempt,
  recordAttempts,
} from '#server/automation/deliveries/record-attempts.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/db.ts';
import type { Hook } from '#server/generated/prisma/client.ts';

const DELAYS = [30, 120, 600, 1800];

/** A response of the receiver with this status. */
export const answered = (statusCode: number): AttemptResult =>
  resultOfResponse({ statusCode, excerpt: '', retryAfter: null });

/** A delivery of a hook whose attempt is under way, after so many others, answered with an error or not at all. */
export async function attemptedDelivery(
  hook: Hook,
  { attempts = 0, hadErrorStatus = false }: { attempts?: number; hadErrorStatus?: boolean } = {},
): Promise<AttemptedDelivery> {
  const { id: hookId, workspaceId, event: key } = hook;
  const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
  const { id } = await db().delivery.create({
    data: { workspaceId, eventId: event.id, hookId, nextAttemptAt: new Date(), attempts, hadErrorStatus },
  });
  return { id, eventId: event.id, eventKey: key as EventKey, hookId, workspaceId };
}

/** An attempt with what it brought. */
export function made(delivery: AttemptedDelivery, number: number, result: AttemptResult): MadeAttempt {
  const next = planNextAttempt(result, number, DELAYS);
  return { delivery, number, startedAt: new Date(), durationMs: 12, result, next };
}

/** Records what an attempt of a delivery brought; false when another worker had been before. */
export async function record(
  delivery: AttemptedDelivery,
  number: number,
  result: AttemptResult,
): Promise<boolean> {
  const [recorded] = await recordAttempts([made(delivery, number, result)]);
  return recorded ?? false;
}
