import { directUrl, openPool } from '#server/core/database/pools.ts';
import { JOBS, SCHEDULED_TASKS } from '#server/core/jobs/jobs.ts';
import { processState } from '#server/core/process-state.ts';

/** `given_up`: has used all attempts. */
export type JobState = 'ready' | 'scheduled' | 'running' | 'given_up';

/** Pending work in the database, the same for every process. */
export type Backlog = {
  /** Unfinished deliveries. `due` includes attempts in flight; `scheduled` have a later attempt. */
  deliveries: { due: number; scheduled: number; oldestDueSeconds: number };
  /** Events that have not been fanned out yet. */
  eventsToFanOut: number;
  jobs: { task: string; counts: Record<JobState, number>; oldestReadySeconds: number }[];
  /** Pieces of work that a restore holds (docs/backup.md). */
  heldWork: number;
  /** Worker pools with a valid lease. */
  workerPools: number;
};

/** Reads jobs through the view of the queue, whose tables may change with any release. $1: the names of all tasks. */
const STATEMENT = `
  with judged as (
    select task_identifier as task, run_at, case
      when locked_at is not null then 'running'
      when attempts >= max_attempts then 'given_up'
      when run_at > now() then 'scheduled'
      else 'ready' end as state
    from graphile_worker.jobs
    union all
    select task, coalesce(run_at, queued_at), case when run_at > now() then 'scheduled' else 'ready' end from job_outbox
  ), grouped as (
    select task, state, count(*) as count, extract(epoch from now() - min(run_at)) as age
    from judged group by task, state
  ), jobs as (
    select t.task,
      json_build_object('ready', 0, 'scheduled', 0, 'running', 0, 'given_up', 0)::jsonb
        || coalesce(jsonb_object_agg(g.state, g.count) filter (where g.state is not null), '{}') as counts,
      coalesce(max(g.age) filter (where g.state = 'ready'), 0) as "oldestReadySeconds"
    from (select unnest($1::text[]) as task union select task from grouped) t left join grouped g on g.task = t.task
    group by t.task
  ), unended as (
    select count(*) filter (where next_attempt_at <= now())::int as due,
      count(*) filter (where next_attempt_at > now())::int as scheduled,
      greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at)), 0))::float8 as "oldestDueSeconds"
    from deliveries where ended_at is null
  )
  select (select to_json(u) from unended u) as deliveries,
    (select count(*) from events_to_fan_out)::int as "eventsToFanOut",
    (select coalesce(json_agg(j), '[]') from jobs j) as jobs,
    (select count(*) from held_work)::int as "heldWork",
    (select count(*) from worker_leases where expires_at > now())::int as "workerPools"`;

let reading: Promise<Backlog | null> | undefined;

/**
 * Reads the backlog in one statement. Concurrent calls share it.
 * @returns null when the database does not respond within two seconds
 */
export function readBacklog(): Promise<Backlog | null> {
  reading ??= metricsPool()
    .query<Backlog>(STATEMENT, [[...Object.keys(JOBS), ...SCHEDULED_TASKS]])
    .then(
      ({ rows }) => rows[0] ?? null,
      () => null,
    )
    .finally(() => {
      reading = undefined;
    });
  return reading;
}

/** Timeouts of connecting and of a statement, in ms. Prometheus waits for 10 s. */
const CONNECT_MS = 2_000;
const STATEMENT_MS = 2_000;
/** Timeout after which a silent connection is closed, in ms. */
const RESPONSE_MS = 2_500;

/**
 * Returns a pool of two connections, one for metrics and one for health checks, so that both respond while all other connections
 * are in use. Every statement times out after two seconds.
 */
const metricsPool = processState(() =>
  openPool({
    connectionString: directUrl(),
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: RESPONSE_MS,
    // Poolers refuse it as a parameter of the connection.
    onConnect: async (client) => {
      await client.query(`set statement_timeout = ${STATEMENT_MS}`);
    },
  }),
);

/** Closes the pool, before the process exits. */
export async function closeMetricsPool(): Promise<void> {
  await metricsPool.take()?.end();
}

/** Returns whether the database responds within seconds. */
export async function databaseResponds(): Promise<boolean> {
  return metricsPool()
    .query('select')
    .then(
      () => true,
      () => false,
    );
}
