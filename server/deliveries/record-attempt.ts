import { inTransaction, pool } from '#server/db.ts';
import { type AttemptResult, isErrorStatus } from '#server/deliveries/attempt-result.ts';
import type { DueDelivery } from '#server/deliveries/find-due-delivery.ts';
import type { NextStep } from '#server/deliveries/plan-next-attempt.ts';
import type { DeliveryOutcome } from '#server/generated/prisma/enums.ts';
import { removeHooks } from '#server/hooks/remove-hooks.ts';

/** Deliveries in a row that end undelivered after an error status until their hook is removed (spec.md §3). */
export const CONSECUTIVE_ERRORS_MAX = 50;

/** One attempt as it was. `number` counts from 1. */
export type MadeAttempt = { number: number; startedAt: Date; durationMs: number; result: AttemptResult };

/**
 * Records an attempt and what follows it, the next job included, in one transaction behind a fence: the
 * delivery must still await this very attempt. Otherwise another worker recorded it, and nothing is written.
 * @returns whether it was recorded
 */
export async function recordAttempt(
  delivery: DueDelivery,
  attempt: MadeAttempt,
  next: NextStep,
): Promise<boolean> {
  if (next.kind === 'retry') return recordFrequent(delivery, attempt, next.delaySeconds);
  if (next.outcome === 'delivered') return recordFrequent(delivery, attempt, null);
  return recordUndelivered(delivery, attempt, next);
}

/** Delivered or to be tried again: the frequent outcomes, in one statement. A success resets the hook's errors. */
const STATEMENT = {
  name: 'record-attempt',
  text: `
    with fenced as (
      update deliveries set
        attempts = $2,
        had_error_status = had_error_status or $3,
        next_attempt_at = now() + make_interval(secs => $4::float8),
        ended_at = case when $4::float8 is null then now() end,
        outcome = case when $4::float8 is null then 'delivered'::delivery_outcome end
      where id = $1 and attempts = $2::int - 1 and ended_at is null
      returning id, hook_id, next_attempt_at
    ), logged as (
      insert into attempts
        (delivery_id, number, outcome, status_code, error, response_excerpt, retry_after, started_at, duration_ms)
      select id, $2, $5::attempt_outcome, $6, $7, $8, $9, $10, $11 from fenced
    ), healed as (
      update hooks set consecutive_errors = 0
      where $4::float8 is null and consecutive_errors > 0 and id in (select hook_id from fenced)
    ), queued as (
      select (graphile_worker.add_job('deliver', json_build_object('deliveryId', id, 'attempt', $2::int + 1),
        run_at := next_attempt_at)).id
      from fenced where next_attempt_at is not null
    )
    select (select count(*) from fenced)::int as recorded, (select count(*) from queued)::int as queued`,
};

async function recordFrequent(
  delivery: DueDelivery,
  attempt: MadeAttempt,
  delaySeconds: number | null,
): Promise<boolean> {
  const { outcome, statusCode, error, responseExcerpt, retryAfter } = attemptColumns(attempt);
  const { rows } = await pool().query<{ recorded: number }>({
    ...STATEMENT,
    values: [
      delivery.id,
      attempt.number,
      isErrorStatus(attempt.result),
      delaySeconds,
      outcome,
      statusCode,
      error,
      responseExcerpt,
      retryAfter,
      attempt.startedAt,
      attempt.durationMs,
    ],
  });
  return rows[0]?.recorded === 1;
}

/** The end of an undelivered delivery: it counts on its hook once, and the fiftieth in a row removes the hook. */
async function recordUndelivered(
  delivery: DueDelivery,
  attempt: MadeAttempt,
  { outcome, removesHook }: { outcome: DeliveryOutcome; removesHook: boolean },
): Promise<boolean> {
  const { id, hook_id: hookId, workspace_id: workspaceId } = delivery;
  return inTransaction(async (tx) => {
    const [ended] = await tx.$queryRaw<{ had_error_status: boolean }[]>`
      update deliveries set attempts = ${attempt.number}::int, next_attempt_at = null, ended_at = now(),
        outcome = ${outcome}::delivery_outcome,
        had_error_status = had_error_status or ${isErrorStatus(attempt.result)}
      where id = ${id}::uuid and attempts = ${attempt.number}::int - 1 and ended_at is null
      returning had_error_status`;
    if (!ended) return false;
    await tx.attempt.create({
      data: { deliveryId: id, ...attemptColumns(attempt) },
      select: { number: true },
    });
    if (!workspaceId) return true;
    if (removesHook) await removeHooks(tx, { workspaceId, id: hookId }, 'gone');
    else if (ended.had_error_status) {
      const [hook] = await tx.$queryRaw<{ consecutive_errors: number }[]>`
        update hooks set consecutive_errors = consecutive_errors + 1
        where id = ${hookId}::uuid and removed_at is null
        returning consecutive_errors`;
      if (hook && hook.consecutive_errors >= CONSECUTIVE_ERRORS_MAX) {
        await removeHooks(tx, { workspaceId, id: hookId }, 'failing');
      }
    }
    return true;
  });
}

function attemptColumns({ number, startedAt, durationMs, result }: MadeAttempt) {
  const answer = 'answer' in result ? result.answer : null;
  return {
    number,
    startedAt,
    durationMs,
    outcome: result.kind,
    statusCode: answer?.statusCode ?? null,
    error: 'error' in result ? result.error : null,
    responseExcerpt: answer?.excerpt ?? null,
    retryAfter: answer?.retryAfter ?? null,
  };
}
