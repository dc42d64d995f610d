import { Pool } from 'pg';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';

/** A worker pool that did not renew its lease for so long is dead, and how often it is renewed, in seconds. */
export const LEASE_SECONDS = 3;
const RENEWAL_MS = 1_000;
/** Longer than this an answer is not waited for: then the lease is lost anyway, in milliseconds. */
const ANSWER_MS = 2_000;

/** The leases of this process's worker pools. */
export type Leases = {
  /** From now on this pool is alive. */
  hold(poolId: string): Promise<void>;
  /** This pool has ended: what it still has locked is free at once. */
  release(poolId: string): Promise<void>;
  /** How long ago the leases were last renewed, in milliseconds. */
  renewedAgoMs(): number;
  stop(): Promise<void>;
};

/**
 * Keeps the leases of this process's pools on connections of their own, once a second on the database's clock, and
 * frees the jobs of pools whose lease has run out, whoever they were. After the database was away nobody is declared
 * dead until all had time to renew.
 * @param onLost told of a pool that others have declared dead: it must start nothing more
 */
export function keepLeases(onLost: (poolId: string) => void): Leases {
  const held = new Set<string>();
  const pool = new Pool({
    connectionString: settings().DATABASE_URL,
    max: 2,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  pool.on('error', () => {});
  let renewedAt = performance.now();
  let mayJudgeAt = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let renewal = Promise.resolve();

  async function renew(): Promise<void> {
    const asked = [...held];
    try {
      const { rows } = await pool.query<{ pool_id: string }>({ ...RENEW, values: [asked] });
      renewedAt = performance.now();
      const alive = new Set(rows.map((row) => row.pool_id));
      for (const poolId of asked) {
        if (alive.has(poolId) || !held.delete(poolId)) continue;
        log().warn({ poolId }, 'worker.lease_lost');
        onLost(poolId);
      }
      if (performance.now() >= mayJudgeAt) await free(FREE_EXPIRED, []);
    } catch (error) {
      mayJudgeAt = performance.now() + LEASE_SECONDS * 1_000;
      log().warn({ err: error }, 'worker.lease_not_renewed');
    }
  }

  async function free(statement: typeof FREE_EXPIRED, values: unknown[]): Promise<void> {
    const { rows } = await pool.query<{ pools: number }>({ ...statement, values });
    const pools = rows[0]?.pools ?? 0;
    if (pools > 0 && statement === FREE_EXPIRED) log().warn({ pools }, 'worker.freed_jobs_of_dead');
  }

  function next(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      renewal = renew().finally(next);
    }, RENEWAL_MS);
  }
  next();

  return {
    hold: async (poolId) => {
      held.add(poolId);
      await pool.query({ ...HOLD, values: [poolId] });
    },
    release: async (poolId) => {
      held.delete(poolId);
      await free(FREE_ONE, [poolId]);
    },
    renewedAgoMs: () => performance.now() - renewedAt,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await renewal;
      await pool.end();
    },
  };
}

const UNTIL = `now() + interval '${LEASE_SECONDS} seconds'`;

const HOLD = {
  name: 'hold-lease',
  text: `insert into worker_leases (pool_id, expires_at) values ($1, ${UNTIL}) on conflict (pool_id) do nothing`,
};

/** A lease that ran out can be renewed until somebody has freed the jobs: that deletes its row. */
const RENEW = {
  name: 'renew-leases',
  text: `update worker_leases set expires_at = ${UNTIL} where pool_id = any ($1) returning pool_id`,
};

/** Deletes leases and frees the jobs of their pools in one go; the workers are told, so that nobody has to look. */
function freeing(name: string, which: string) {
  return {
    name,
    text: `
      with dead as (
        delete from worker_leases where ${which} returning pool_id
      ), freed as (
        select graphile_worker.force_unlock_workers(array_agg(pool_id)),
          pg_notify('jobs:insert', '{"count":1000}')
        from dead having count(*) > 0
      )
      select (select count(*) from dead)::int as pools, (select count(*) from freed) as freed`,
  };
}
const FREE_EXPIRED = freeing('free-expired-pools', 'expires_at < now()');
const FREE_ONE = freeing('free-pool', 'pool_id = $1');
