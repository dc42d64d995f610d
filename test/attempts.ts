import { db } from '#server/db.ts';
import { type AttemptResult, resultOfAnswer } from '#server/deliveries/attempt-result.ts';
import { type Claim, type ClaimedDelivery, claimDelivery } from '#server/deliveries/claim-delivery.ts';
import { planNextAttempt } from '#server/deliveries/plan-next-attempt.ts';
import { type Recorded, recordAttempt } from '#server/deliveries/record-attempt.ts';
import type { Hook } from '#server/generated/prisma/client.ts';

/** The worker pool that makes the attempts of a test without a worker. */
const POOL = 'the pool of this test';
const DELAYS = [30, 120, 600, 1800];

/** An answer of the receiver with this status. */
export const answered = (statusCode: number): AttemptResult =>
  resultOfAnswer({ statusCode, excerpt: '', retryAfter: null });

/** Claims an attempt of a delivery, as a job of a living worker does. */
export async function claimAttempt(deliveryId: string, attempt: number, handedOn = false): Promise<Claim> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db().workerLease.createMany({ data: { poolId: POOL, expiresAt }, skipDuplicates: true });
  return claimDelivery({ deliveryId, attempt, handedOn, poolId: POOL });
}

/** A delivery of a hook whose next attempt has its slot, after so many others, answered with an error or not at all. */
export async function claimedDelivery(
  hook: Hook,
  { attempts = 0, hadErrorStatus = false }: { attempts?: number; hadErrorStatus?: boolean } = {},
): Promise<ClaimedDelivery> {
  const { id: hookId, workspaceId, event: key } = hook;
  const event = await db().event.create({ data: { workspaceId, key, body: '{}' } });
  const { id } = await db().delivery.create({
    data: { workspaceId, eventId: event.id, hookId, nextAttemptAt: new Date(), attempts, hadErrorStatus },
  });
  const claim = await claimAttempt(id, attempts + 1);
  if (claim.kind !== 'claimed') throw new Error(`It was not claimed: ${claim.kind}.`);
  return claim.delivery;
}

/** Records what an attempt of a claimed delivery brought. */
export function record(delivery: ClaimedDelivery, number: number, result: AttemptResult): Promise<Recorded> {
  const attempt = { number, startedAt: new Date(), durationMs: 12, result };
  return recordAttempt(delivery, attempt, planNextAttempt(result, number, DELAYS));
}
