import { isErrorStatus, type MadeAttempt } from '#server/automation/deliveries/attempt-result.ts';
import { commandNotices } from '#server/automation/deliveries/command-notices.ts';
import { ERROR_MILESTONES, reactToErrors } from '#server/automation/deliveries/react-to-errors.ts';
import { deliveryPool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { log } from '#server/core/log.ts';

/** Maximum attempts that one statement records. */
export const RECORD_MAX = 500;
/** SQL condition: the endpoint `w` failed in the last two days, which is longer than any of `WEBHOOK_RETRY_DELAYS`. If not, its failures start again. */
const STILL_FAILS = "w.last_failed_at > now() - interval '2 days'";
/** Time that results wait for an unreachable database, in ms. */
const RETRY_MS = 60_000;

/**
 * Records attempts in one statement: deliveries, attempts, the counters of each hook, since when endpoints fail, and the notifications of failed
 * commands, as if written in order. Fenced: updates a delivery only if it awaits exactly this attempt. Skips hooks whose errors may
 * reach a milestone (`$2`) and returns their attempts as `exact`. Locks hooks before their deliveries, in one
 * order, as everywhere else.
 */
const STATEMENT = {
  name: 'record-attempts',
  text: `
    with results as materialized (
      select * from json_to_recordset($1::json) as r (
        place int, event_id uuid, hook_id uuid, number int, kind attempt_outcome, status_code int, error text,
        response_excerpt text, retry_after text, started_at timestamptz, duration_ms int, delay_seconds float8,
        outcome delivery_outcome, is_error boolean, is_command boolean)
    ), served as materialized (
      select h.id, h.consecutive_errors, h.removed_at is null as live, h.event = '*' as is_endpoint
      from hooks h where h.id in (select hook_id from results)
      order by h.id
      for no key update
    ), exact as materialized (
      select l.id
      from served l join (
        select hook_id, count(*) as errors from results where outcome in ('dropped', 'exhausted') group by hook_id
      ) e on e.hook_id = l.id
      where l.live and not l.is_endpoint and exists (
        select from unnest($2::int[]) as m (milestone)
        where m.milestone > l.consecutive_errors and m.milestone <= l.consecutive_errors + e.errors)
    ), judged as (
      select r.*, l.live, l.is_endpoint, case when l.live then r.outcome else coalesce(r.outcome, 'cancelled') end as ended_as
      from results r join served l on l.id = r.hook_id
      where r.hook_id not in (select id from exact)
    ), fenced as (
      update deliveries d set
        attempts = j.number,
        had_error_status = d.had_error_status or j.is_error,
        next_attempt_at = case when j.ended_as is null then now() + make_interval(secs => j.delay_seconds) end,
        ended_at = case when j.ended_as is not null then now() end,
        outcome = j.ended_as
      from judged j
      where d.event_id = j.event_id and d.hook_id = j.hook_id
        and d.attempts = j.number - 1 and d.ended_at is null
      returning d.id, d.event_id, d.hook_id, j.place, j.number, j.kind, j.status_code, j.error, j.response_excerpt,
        j.retry_after, j.started_at, j.duration_ms, j.is_command, j.ended_as,
        j.is_endpoint, j.live and not j.is_endpoint and d.had_error_status and j.outcome in ('dropped', 'exhausted') as counts
    ), logged as (
      insert into attempts
        (event_id, delivery_id, number, outcome, status_code, error, response_excerpt, retry_after, started_at, duration_ms)
      select event_id, id, number, kind, status_code, error, response_excerpt, retry_after, started_at, duration_ms
      from fenced
    ), informed as (${commandNotices('fenced')}
    ), successes as (
      select hook_id, max(place) filter (where kind = 'delivered') as last from fenced group by hook_id
    ), sums as (
      select f.hook_id, s.last is not null as was_delivered,
        count(*) filter (where f.counts and f.place > coalesce(s.last, -1))::int as errors,
        bool_or(f.kind = 'throttled') as was_throttled,
        coalesce(max(f.place) filter (where f.kind = 'timed_out'), -1) as timed_out,
        coalesce(max(f.place) filter (where f.status_code is not null), -1) as answered
      from fenced f join successes s on s.hook_id = f.hook_id
      group by f.hook_id, s.last
    ), noted as (
      update hooks h set
        consecutive_errors = case when s.was_delivered then 0 else h.consecutive_errors end + s.errors,
        failing_since = case
          when s.errors > 0 and not s.was_delivered then coalesce(h.failing_since, now())
          when s.errors > 0 then now()
          when s.was_delivered then null
          else h.failing_since end,
        throttled_at = case when s.was_throttled then clock_timestamp() else h.throttled_at end,
        timed_out_at = case
          when s.timed_out > s.answered then clock_timestamp()
          when s.answered < 0 then h.timed_out_at end
      from sums s
      where h.id = s.hook_id and (s.errors > 0 or s.was_throttled or s.timed_out >= 0
        or (s.was_delivered and h.consecutive_errors > 0) or (s.answered >= 0 and h.timed_out_at is not null))
      returning h.id, h.consecutive_errors, h.failing_since
    ), told as (
      update webhook_endpoints w set
        failing_since = case when f.was_delivered then null when ${STILL_FAILS} then w.failing_since else now() end,
        last_failed_at = case when f.was_delivered then null else now() end,
        warned_at = case when not f.was_delivered and ${STILL_FAILS} then w.warned_at end
      from (
        select hook_id, bool_or(kind = 'delivered') as was_delivered from fenced where is_endpoint group by hook_id
      ) f
      where w.id = f.hook_id and (w.failing_since is not null or not f.was_delivered)
    )
    select f.place, false as exact, case when f.counts then n.consecutive_errors end as errors, n.failing_since as since
    from fenced f left join noted n on n.id = f.hook_id
    union all
    select place, true, null, null from results where hook_id in (select id from exact)`,
};

/** An attempt that was recorded, or that `recordExactly` must record. Missing if another worker was first. */
type Row = { place: number; exact: boolean; errors: number | null; since: Date | null };

/**
 * Records attempts in the order in which they ended. Retries for a minute while the database
 * is unreachable. A failure to record one attempt does not affect the others. Never rejects.
 * @returns whether each attempt was recorded: false if another worker was first, null after a failure
 */
export async function recordBatch(attempts: MadeAttempt[]): Promise<Map<MadeAttempt, boolean | null>> {
  try {
    const recorded = await retryWhileDatabaseAway(() => recordAttempts(attempts), RETRY_MS);
    return new Map(attempts.map((attempt, place) => [attempt, recorded[place] ?? null]));
  } catch (error) {
    const results = new Map<MadeAttempt, boolean | null>();
    if (attempts.length === 1 && attempts[0]) {
      const [attempt] = attempts;
      const { id: deliveryId, hookId } = attempt.delivery;
      log().error({ err: error, deliveryId, hookId }, 'delivery.not_recorded');
      return results.set(attempt, null);
    }
    for (const attempt of attempts) {
      for (const [each, recorded] of await recordBatch([attempt])) results.set(each, recorded);
    }
    return results;
  }
}

/**
 * Records attempts and their next steps, fenced: a delivery that does not await exactly this attempt stays
 * unchanged. Takes one round trip. Exceptions are hooks to remove, and hooks whose errors reach a milestone:
 * each of their attempts takes one transaction.
 * @returns whether each attempt was recorded; false if another worker was first
 */
export async function recordAttempts(attempts: MadeAttempt[]): Promise<boolean[]> {
  const removing = new Set(attempts.filter(removesHook).map(({ delivery }) => delivery.hookId));
  const recorded = attempts.map(() => false);
  const exact = attempts.flatMap(({ delivery }, place) => (removing.has(delivery.hookId) ? [place] : []));
  const together = attempts.flatMap((attempt, place) =>
    removing.has(attempt.delivery.hookId) ? [] : [valuesOf(attempt, place)],
  );
  if (together.length > 0) {
    const values = [JSON.stringify(together), ERROR_MILESTONES];
    const { rows } = await deliveryPool().query<Row>({ ...STATEMENT, values });
    for (const row of rows) {
      if (row.exact) exact.push(row.place);
      else recorded[row.place] = true;
    }
  }
  for (const place of exact.toSorted((a, b) => a - b)) {
    const attempt = attempts[place];
    if (attempt) recorded[place] = await recordExactly(attempt);
  }
  return recorded;
}

async function recordExactly(attempt: MadeAttempt): Promise<boolean> {
  return inTransaction(async (tx) => {
    const values = [JSON.stringify([valuesOf(attempt, 0)]), []];
    const [row] = await tx.$queryRawUnsafe<Row[]>(STATEMENT.text, ...values);
    if (!row) return false;
    const { errors, since } = row;
    await reactToErrors(tx, attempt.delivery, { result: attempt.result, errors, since });
    return true;
  });
}

function removesHook({ next }: MadeAttempt): boolean {
  return next.kind === 'end' && next.removesHook;
}

function valuesOf({ delivery, number, startedAt, durationMs, result, next }: MadeAttempt, place: number) {
  const response = 'response' in result ? result.response : null;
  return {
    place,
    event_id: delivery.eventId,
    hook_id: delivery.hookId,
    number,
    kind: result.kind,
    status_code: response?.statusCode ?? null,
    error: 'error' in result ? result.error : null,
    response_excerpt: response?.excerpt ?? null,
    retry_after: response?.retryAfter ?? null,
    started_at: startedAt,
    duration_ms: durationMs,
    delay_seconds: next.kind === 'retry' ? next.delaySeconds : null,
    outcome: next.kind === 'end' ? next.outcome : null,
    is_error: isErrorStatus(result),
    is_command: delivery.eventKey === 'operator.command' && !delivery.isForEndpoint,
  };
}
