import { Pool } from 'pg';
import { directUrl } from '#server/core/database/pool-options.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { log } from '#server/core/log.ts';
import { IS_ABSENT, keepPresence } from '#worker/presence.ts';

/** A worker pool that did not renew its lease for so long is dead when its process has no session either, in seconds. */
export const LEASE_SECONDS = 3;
/**
 * One whose process has a session may only be starved: it starts nothing without its lease, and what it had begun by then has
 * ended and is recorded after so long, in seconds; a delivery takes 15 at most.
 */
const HALTED_SECONDS = 20;
/**
 * Nothing starts on leases that were not renewed for so long: less than their length, or with a session so much less than others
 * wait that an attempt can run out of time and be recorded; in milliseconds.
 */
const SURE_MS = 2_500;
const SURE_WITH_SESSION_MS = 5_000;
/** How often leases are renewed and those of the dead are looked for, in milliseconds. */
const RENEWAL_MS = 500;
/** And how often while the database is away: what waits for it goes on as soon as it is back, in milliseconds. */
const AWAY_MS = 100;
/** So long after a lease runs out it is looked for, in milliseconds. */
const RUN_OUT_MS = 5;
/** Timeout of a statement, in ms: a later response would come after the lease is lost. */
const RESPONSE_MS = 2_000;
/** Timeout of a new connection, in ms. It is longer: with a shorter one, slow connections would fail one after the other. */
const CONNECT_MS = 10_000;

/** The leases of this process's worker pools. */
export type Leases = {
  /**
   * From now on this pool is alive.
   * @param onLost called when others have declared it dead: it must start nothing more
   */
  hold(poolId: string, onLost: () => void): Promise<void>;
  /** This pool has ended: what it still has locked is free at once. */
  release(poolId: string): Promise<void>;
  /** Whether no one else can have taken over what this process works on, nor will before what starts now has ended. */
  areSure(): boolean;
  /** How long ago the leases were last renewed, in milliseconds. */
  renewedAgoMs(): number;
  /** Has something called each time leases are renewed again after the database was away. */
  onBack(work: () => void): void;
  stop(): Promise<void>;
};

/**
 * Keeps the leases of this process's pools on connections of their own, twice a second on the database's clock, and
 * frees the jobs of pools whose lease has run out, no matter whose: at once when their process is gone, much later while its
 * session says that it is only slow. After the database was away no one is declared dead until all had time to renew.
 */
export function keepLeases(): Leases {
  /** What to call when a lease is lost. */
  const held = new Map<string, () => void>();
  const pool = new Pool({
    connectionString: directUrl(),
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: RESPONSE_MS,
  });
  // A connection that breaks is replaced by the pool; without listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const presence = keepPresence();
  let renewedAt = performance.now();
  let mayJudgeAt = 0;
  let isAway = false;
  const backs: (() => void)[] = [];
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let renewal = Promise.resolve();
  /** In how many milliseconds the next lease of all runs out that no one renews. */
  let runsOutInMs: number | null = null;

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    const asked = [...held];
    const poolIds = asked.map(([poolId]) => poolId);
    try {
      const { rows } = await pool.query<{ pool_id: string }>({ ...RENEW, values: [poolIds] });
      renewedAt = askedAt;
      // Other workers may have been late for the same reason: all get time to renew before one is declared dead.
      const wasLate = performance.now() - askedAt > RESPONSE_MS;
      if (wasLate) mayJudgeAt = performance.now() + LEASE_SECONDS * 1_000;
      const wasAway = isAway || wasLate;
      isAway = false;
      const alive = new Set(rows.map((row) => row.pool_id));
      for (const [poolId, onLost] of asked) {
        if (alive.has(poolId) || !held.delete(poolId)) continue;
        log().warn({ poolId }, 'worker.lease_lost');
        onLost();
      }
      if (wasAway) for (const work of [presence.retry, ...backs]) work();
      runsOutInMs = performance.now() >= mayJudgeAt ? await free(FREE_EXPIRED, []) : null;
    } catch (error) {
      runsOutInMs = null;
      mayJudgeAt = performance.now() + LEASE_SECONDS * 1_000;
      if (!isAway) log().warn({ err: error }, 'worker.lease_not_renewed');
      isAway = true;
    }
  }

  /** Returns in how many milliseconds the next lease runs out. */
  async function free(statement: typeof FREE_EXPIRED, values: unknown[]): Promise<number | null> {
    const { rows } = await pool.query<{ pools: number; runsOutInMs: number | null }>({
      ...statement,
      values,
    });
    const pools = rows[0]?.pools ?? 0;
    if (pools > 0 && statement === FREE_EXPIRED) log().warn({ pools }, 'worker.freed_jobs_of_dead');
    return rows[0]?.runsOutInMs ?? null;
  }

  function next(): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        renewal = renew().finally(next);
      },
      isAway ? AWAY_MS : Math.min(RENEWAL_MS, (runsOutInMs ?? RENEWAL_MS) + RUN_OUT_MS),
    );
  }
  next();

  return {
    hold: async (poolId, onLost) => {
      await presence.show(poolId);
      await pool.query({ ...HOLD, values: [poolId] });
      // Only now: a renewal that overtook it would find no lease and take it for lost.
      held.set(poolId, onLost);
    },
    release: async (poolId) => {
      held.delete(poolId);
      await free(FREE_ONE, [poolId]);
      await presence.hide(poolId);
    },
    areSure: () => performance.now() - renewedAt < (presence.isThere() ? SURE_WITH_SESSION_MS : SURE_MS),
    renewedAgoMs: () => performance.now() - renewedAt,
    onBack: (work) => void backs.push(work),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await renewal;
      await presence.close();
      await pool.end();
    },
  };
}

const UNTIL = `now() + interval '${LEASE_SECONDS} seconds'`;

const HOLD = {
  name: 'hold-lease',
  text: `insert into worker_leases (pool_id, expires_at) values ($1, ${UNTIL}) on conflict (pool_id) do nothing`,
};

/** A lease that ran out can be renewed until someone has freed the jobs: that deletes its row. */
const RENEW = {
  name: 'renew-leases',
  text: `update worker_leases set expires_at = ${UNTIL} where pool_id = any ($1) returning pool_id`,
};

/**
 * Deletes leases and frees the jobs of their pools in one go; the workers are notified, so that no one has to look.
 * @param dead SQL: a query `dead` that lists the pools
 */
function freeing(name: string, dead: string) {
  return {
    name,
    text: `
      with ${dead}, freed as (
        select graphile_worker.force_unlock_workers(array_agg(pool_id)),
          pg_notify('jobs:insert', '{"count":1000}'), pg_notify('${WORK_CHANNEL}', '')
        from dead having count(*) > 0
      )
      select (select count(*) from dead)::int as pools, (select count(*) from freed) as freed, (
          select extract(epoch from min(expires_at) - clock_timestamp()) * 1000 from worker_leases where expires_at >= now()
        )::float8 as "runsOutInMs"`,
  };
}

/** Not while PostgreSQL has only just started: then all had to wait for it. Whether one is absent is asked last. */
const FREE_EXPIRED = freeing(
  'free-expired-pools',
  `dead as (
    delete from worker_leases
    where case
      when expires_at >= now() or pg_postmaster_start_time() >= now() - interval '${LEASE_SECONDS} seconds' then false
      when expires_at < now() - interval '${HALTED_SECONDS} seconds' then true
      else ${IS_ABSENT} end
    returning pool_id)`,
);

/** Also one whose lease others have ended already: it may have locked more since. */
const FREE_ONE = freeing(
  'free-pool',
  'ended as (delete from worker_leases where pool_id = $1), dead as (select $1::text as pool_id)',
);
