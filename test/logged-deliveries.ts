import { v7 as uuidv7 } from 'uuid';
import type { AttemptResult } from '#server/automation/deliveries/attempt-result.ts';
import { db } from '#server/core/database/db.ts';
import type { Delivery, Hook } from '#server/generated/prisma/client.ts';
import type { AttemptOutcome, DeliveryOutcome } from '#server/generated/prisma/enums.ts';

/** An attempt in short: what came of it. */
export type MadeAttempt = {
  outcome: AttemptOutcome;
  statusCode?: number;
  error?: string;
  responseExcerpt?: string;
  retryAfter?: string;
  durationMs?: number;
};

const RESPONSES: Partial<Record<AttemptResult['kind'], number>> = {
  delivered: 200,
  rejected: 404,
  gone: 410,
  throttled: 429,
  failed: 500,
  redirected: 302,
};

/**
 * A delivery of a hook as the log finds it, with its attempts, one a minute from when it was made. Without an outcome
 * it has not ended and its next attempt is due in an hour.
 * @param body what was sent besides the id
 */
export async function logDelivery(
  hook: Pick<Hook, 'id' | 'workspaceId' | 'event'>,
  given: {
    outcome?: DeliveryOutcome;
    attempts?: (MadeAttempt | AttemptOutcome)[];
    earlierAttempts?: number;
    createdAt?: Date;
    endedAt?: Date;
    body?: Record<string, unknown>;
  } = {},
): Promise<Delivery> {
  const { outcome = null, attempts = [], earlierAttempts = 0, createdAt = new Date() } = given;
  const eventId = uuidv7();
  const body = JSON.stringify({ id: eventId, event: hook.event, ...given.body });
  await db().event.create({
    data: { id: eventId, workspaceId: hook.workspaceId, key: hook.event, body, createdAt },
  });
  return db().delivery.create({
    data: {
      workspaceId: hook.workspaceId,
      eventId,
      hookId: hook.id,
      outcome,
      attempts: attempts.length,
      earlierAttempts,
      createdAt,
      endedAt: outcome ? (given.endedAt ?? createdAt) : null,
      nextAttemptAt: outcome ? null : new Date(Date.now() + 3_600_000),
      attemptList: {
        create: attempts.map((attempt, index) => {
          const made = typeof attempt === 'string' ? { outcome: attempt } : attempt;
          const statusCode = RESPONSES[made.outcome];
          return {
            number: index + 1,
            startedAt: new Date(createdAt.getTime() + index * 60_000),
            durationMs: 25,
            ...(statusCode === undefined ? {} : { statusCode }),
            ...made,
          };
        }),
      },
    },
  });
}
