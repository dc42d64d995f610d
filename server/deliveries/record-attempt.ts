import { inTransaction, pool, type Tx } from '#server/db.ts';
import { type AttemptResult, isErrorStatus } from '#server/deliveries/attempt-result.ts';
import type { ClaimedDelivery } from '#server/deliveries/claim-delivery.ts';
import { DELIVER_TASK } from '#server/deliveries/pace.ts';
import type { NextStep } from '#server/deliveries/plan-next-attempt.ts';
import { ERROR_MILESTONES, reactToErrors } from '#server/deliveries/react-to-errors.ts';

/** One attempt as it was. `number` counts from 1. */
export type MadeAttempt = { number: number; startedAt: Date; durationMs: number; result: AttemptResult };

/** What recording an attempt came to. */
export type Recorded = {
  /** Whether the delivery still awaited this attempt; if not, another worker recorded it and nothing was written. */
  recorded: boolean;
  /** Whether deliveries of the hook wait for the slot that is free now. */
  othersWait: boolean;
};

/**
 * The result of an attempt and what follows it in one statement: the delivery, the attempt, its hook's slot and
 * state, the next job. Fenced twice: the delivery must await this very attempt, and, unless `$13` allows it, the errors
 * of the hook must not reach a number at which more has to happen (`locked` is then 0).
 */
const STATEMENT = {
  name: 'record-attempt',
  text: `
    with awaited as (
      select id,
        (had_error_status or $12::boolean) and coalesce($11::text, '') in ('dropped', 'exhausted') as is_error
      from deliveries
      where id = $1::uuid and attempts = $2::int - 1 and ended_at is null
    ), lane as (
      select h.id, h.waiting, h.removed_at is null as live, ${DELIVER_TASK} as task,
        h.removed_at is null and a.is_error as counts,
        case when h.removed_at is null then $11::text else coalesce($11::text, 'cancelled') end as outcome
      from hooks h, awaited a
      where h.id = $3::uuid and not (
        h.removed_at is null and a.is_error and h.consecutive_errors + 1 = any ($13::int[]))
      for no key update of h
    ), fenced as (
      update deliveries d set
        attempts = $2::int,
        had_error_status = d.had_error_status or $12::boolean,
        stage = case when l.outcome is null then 'queued'::delivery_stage end,
        next_attempt_at = case when l.outcome is null then now() + make_interval(secs => $10::float8) end,
        ended_at = case when l.outcome is not null then now() end,
        outcome = l.outcome::delivery_outcome
      from lane l
      where d.id = $1::uuid and d.attempts = $2::int - 1 and d.ended_at is null
      returning d.id, d.next_attempt_at, l.task
    ), logged as (
      insert into attempts
        (delivery_id, number, outcome, status_code, error, response_excerpt, retry_after, started_at, duration_ms)
      select id, $2::int, $4::attempt_outcome, $5::int, $6::text, $7::text, $8::text, $9::timestamptz, $14::int from fenced
    ), noted as (
      update hooks h set
        in_flight = h.in_flight - 1,
        consecutive_errors = case
          when l.outcome = 'delivered' then 0 else h.consecutive_errors + l.counts::int end,
        failing_since = case
          when l.outcome = 'delivered' then null
          when l.counts then coalesce(h.failing_since, now())
          else h.failing_since end,
        throttled_at = case when $4::text = 'throttled' then clock_timestamp() else h.throttled_at end,
        timed_out_at = case
          when $4::text = 'timed_out' then clock_timestamp()
          when $5::int is null then h.timed_out_at end
      from lane l
      where h.id = l.id and exists (select from fenced)
      returning h.consecutive_errors, h.failing_since, l.counts
    ), queued as (
      select (graphile_worker.add_job(
        task, json_build_object('deliveryId', id, 'attempt', $2::int + 1), run_at := next_attempt_at)).id
      from fenced where next_attempt_at is not null
    )
    select (select count(*) from awaited)::int as awaited, (select count(*) from lane)::int as locked,
      (select count(*) from fenced)::int as recorded, (select count(*) from queued)::int as queued,
      coalesce((select waiting > 0 and live from lane), false) as others_wait,
      (select consecutive_errors from noted where counts) as errors,
      (select failing_since from noted) as failing_since`,
};

type Row = {
  awaited: number;
  locked: number;
  recorded: number;
  others_wait: boolean;
  errors: number | null;
  failing_since: Date | null;
};

/**
 * Records an attempt and what follows it, the next job included, in one transaction behind a fence: the
 * delivery must still await this very attempt. One round trip, unless a hook is removed or its errors reach a
 * number at which somebody is told: then all of it is one transaction of the domain's functions.
 */
export async function recordAttempt(
  delivery: ClaimedDelivery,
  attempt: MadeAttempt,
  next: NextStep,
): Promise<Recorded> {
  const removesHook = next.kind === 'end' && next.removesHook;
  if (!removesHook) {
    const { rows } = await pool().query<Row>({
      ...STATEMENT,
      values: valuesOf(delivery, attempt, next, ERROR_MILESTONES),
    });
    const [row] = rows;
    if (row && (row.locked === 1 || row.awaited === 0)) return outcomeOf(row);
  }
  return inTransaction(async (tx) => {
    const [row] = await recordWithin(tx, valuesOf(delivery, attempt, next, []));
    if (!row) return { recorded: false, othersWait: false };
    if (row.recorded === 1) {
      const { errors, failing_since: since } = row;
      await reactToErrors(tx, delivery, { result: attempt.result, errors, since });
    }
    return outcomeOf(row);
  });
}

function recordWithin(tx: Tx, values: unknown[]): Promise<Row[]> {
  return tx.$queryRawUnsafe<Row[]>(STATEMENT.text, ...values);
}

function outcomeOf(row: Row): Recorded {
  return { recorded: row.recorded === 1, othersWait: row.recorded === 1 && row.others_wait };
}

function valuesOf(
  delivery: ClaimedDelivery,
  { number, startedAt, durationMs, result }: MadeAttempt,
  next: NextStep,
  milestones: readonly number[],
): unknown[] {
  const answer = 'answer' in result ? result.answer : null;
  return [
    delivery.id,
    number,
    delivery.hook_id,
    result.kind,
    answer?.statusCode ?? null,
    'error' in result ? result.error : null,
    answer?.excerpt ?? null,
    answer?.retryAfter ?? null,
    startedAt,
    next.kind === 'retry' ? next.delaySeconds : null,
    next.kind === 'end' ? next.outcome : null,
    isErrorStatus(result),
    milestones,
    durationMs,
  ];
}
