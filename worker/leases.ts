import { directUrl, openPool } from '#server/core/database/pools.ts';
import { openReconnectingClient } from '#server/core/database/reconnecting-client.ts';
import { WORK_CHANNEL } from '#server/core/jobs/wake-workers.ts';
import { log } from '#server/core/log.ts';

/** Duration of a lease, in seconds. A pool whose lease expired is dead if its process has no session either. */
export const LEASE_SECONDS = 3;
/**
 * Time after the expiry at which a pool is dead although its process has a session, in seconds. Until then the
 * process may be starved of processor time. It starts nothing without a lease, and a delivery in flight takes at
 * most 15 s.
 */
const HALTED_SECONDS = 20;
/**
 * Maximum age of the last renewal at which work may start, in ms. Less than a lease. With a session, enough
 * below `HALTED_SECONDS` for an attempt to time out and be recorded.
 */
const SURE_MS = 2_500;
const SURE_WITH_SESSION_MS = 5_000;
/** Interval at which leases are renewed and expired ones ended, in ms. */
const RENEWAL_MS = 500;
/** Renewal interval while the database is unreachable, in ms: short, so that waiting work resumes soon. */
const RETRY_MS = 100;
/** Time after the expiry of a lease at which it is checked, in ms. */
const EXPIRED_MS = 5;
/** Timeout of a statement, in ms: a later response would arrive after the lease is lost. */
const RESPONSE_MS = 2_000;
/**
 * Timeout of a new connection, in ms. Longer than `RESPONSE_MS`: otherwise slow connections would fail one
 * after the other.
 */
const CONNECT_MS = 10_000;
/** Timeout of a statement of the session, in ms: a process without processor time must not give up its session. */
const SESSION_RESPONSE_MS = 15_000;
/** First key of the session's advisory locks. */
const LOCK_SPACE = 4_522;

/** Leases of this worker's pools, and the session that shows that its process is alive. */
export type Leases = {
  /**
   * Registers a pool.
   * @param onLost called when another worker has declared the pool dead: the pool must start nothing more
   * @throws when the database is unreachable
   */
  hold(poolId: string, onLost: () => void): Promise<void>;
  /** Ends a pool and immediately frees its locked jobs. */
  release(poolId: string): Promise<void>;
  /**
   * Returns whether work that starts now will finish before another worker may take over this process's work.
   */
  areSure(): boolean;
  renewedAgoMs(): number;
  /** Calls `work` whenever leases are renewed again after the database was unreachable. */
  onBack(work: () => void): void;
  stop(): Promise<void>;
};

/**
 * Renews the leases of this worker's pools twice a second, on the database's clock. Frees the jobs of all
 * pools whose leases expired: immediately when their process has no session, otherwise 20 s later. A session
 * holds an advisory lock for each pool, and the system closes the session with its process. So a lock shows
 * that the process is only slow or halted. After a database outage no pool is declared dead until all had
 * time to renew.
 */
export function maintainLeases(): Leases {
  /** Pools with a lease, with the callback for its loss. */
  const held = new Map<string, () => void>();
  const locked = new Set<string>();
  const onBacks: (() => void)[] = [];
  let renewedAt = performance.now();
  let mayJudgeAt = 0;
  let isUnreachable = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let renewal = Promise.resolve();
  let lastInSession = Promise.resolve();

  const session = openReconnectingClient({
    name: `lease-${process.pid}`,
    prepare: async (client) => {
      await client.query(KEEPALIVE);
      await client.query(LOCK, [[...locked]]);
    },
    responseMs: SESSION_RESPONSE_MS,
  });
  // Statements do not use the session: one that times out breaks its connection.
  const pool = openPool({
    connectionString: directUrl(),
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: RESPONSE_MS,
  });

  /** Runs a statement of the session after those before it: a connection accepts one at a time. */
  function inSession(run: (client: ReturnType<typeof session.client>) => unknown): Promise<void> {
    const ended = lastInSession.then(async () => void (await run(session.client())));
    lastInSession = ended.catch(() => undefined);
    return ended;
  }

  function renewAfter(pauseMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      renewal = renew().then(renewAfter);
    }, pauseMs);
  }

  /** Returns the pause until the next renewal, in ms. */
  async function renew(): Promise<number> {
    const sentAt = performance.now();
    const sent = [...held];
    try {
      const { rows } = await pool.query<{ pool_id: string }>({
        ...RENEW,
        values: [sent.map(([poolId]) => poolId)],
      });
      renewedAt = sentAt;
      const wasUnreachable = isUnreachable || performance.now() - sentAt > RESPONSE_MS;
      isUnreachable = false;
      const renewed = new Set(rows.map((row) => row.pool_id));
      for (const [poolId, onLost] of sent) {
        if (renewed.has(poolId) || !held.delete(poolId)) continue;
        log().warn({ poolId }, 'worker.lease_lost');
        onLost();
      }
      if (wasUnreachable) {
        // Other workers were late for the same reason.
        mayJudgeAt = performance.now() + LEASE_SECONDS * 1_000;
        for (const work of [session.retry, ...onBacks]) work();
      }
      return performance.now() < mayJudgeAt ? RENEWAL_MS : await freeExpired();
    } catch (error) {
      if (!isUnreachable) log().warn({ err: error }, 'worker.lease_not_renewed');
      isUnreachable = true;
      return RETRY_MS;
    }
  }

  /**
   * Frees expired pools.
   * @returns the pause until the next unrenewed lease expires, in ms
   */
  async function freeExpired(): Promise<number> {
    const { rows } = await pool.query<{ pools: number; expiresInMs: number | null }>(FREE_EXPIRED);
    const { pools = 0, expiresInMs = null } = rows[0] ?? {};
    if (pools > 0) log().warn({ pools }, 'worker.freed_jobs_of_dead');
    return Math.min(RENEWAL_MS, (expiresInMs ?? RENEWAL_MS) + EXPIRED_MS);
  }

  renewAfter(RENEWAL_MS);

  return {
    hold: async (poolId, onLost) => {
      await session.ready(CONNECT_MS);
      await inSession(async (client) => {
        // The error code marks the database as unreachable, so that callers retry.
        if (!client) throw Object.assign(new Error(NOT_CONNECTED), { code: 'ETIMEDOUT' });
        await client.query(LOCK, [[poolId]]);
      });
      locked.add(poolId);
      await pool.query({ ...HOLD, values: [poolId] });
      // Only after the insert: an earlier renewal would find no lease and treat it as lost.
      held.set(poolId, onLost);
    },
    release: async (poolId) => {
      held.delete(poolId);
      locked.delete(poolId);
      await pool.query({ ...FREE_ONE, values: [poolId] });
      await inSession((client) => client?.query(UNLOCK, [poolId]));
    },
    areSure: () => performance.now() - renewedAt < (session.client() ? SURE_WITH_SESSION_MS : SURE_MS),
    renewedAgoMs: () => performance.now() - renewedAt,
    onBack: (work) => void onBacks.push(work),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await renewal;
      await session.close();
      await pool.end();
    },
  };
}

const NOT_CONNECTED = `The session for worker leases did not connect to the database within ${CONNECT_MS / 1_000} s.`;

/** PostgreSQL ends the session of a machine that does not respond for 10 s (five intervals of 2 s). */
const KEEPALIVE =
  'set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 4';
const LOCK = `select pg_advisory_lock_shared(${LOCK_SPACE}, hashtext(id)) from unnest($1::text[]) id`;
const UNLOCK = `select pg_advisory_unlock_shared(${LOCK_SPACE}, hashtext($1))`;

const EXPIRY = `now() + interval '${LEASE_SECONDS} seconds'`;

const HOLD = {
  name: 'hold-lease',
  text: `insert into worker_leases (pool_id, expires_at) values ($1, ${EXPIRY}) on conflict (pool_id) do nothing`,
};

/** An expired lease can be renewed until its jobs are freed, which deletes its row. */
const RENEW = {
  name: 'renew-leases',
  text: `update worker_leases set expires_at = ${EXPIRY} where pool_id = any ($1) returning pool_id`,
};

/**
 * Returns a statement that deletes leases and frees the jobs of their pools. It notifies the workers, which
 * then need not poll.
 * @param dead SQL: a query `dead` that lists the pools
 */
function freeing(name: string, dead: string) {
  return {
    name,
    text: `
      with ${dead}, freed as (
        select graphile_worker.force_unlock_workers(array_agg(pool_id)),
          pg_notify('jobs:insert', '{"count":1000}'), pg_notify('${WORK_CHANNEL}', 'hooks')
        from dead having count(*) > 0
      )
      select (select count(*) from dead)::int as pools, (select count(*) from freed) as freed, (
          select extract(epoch from min(expires_at) - clock_timestamp()) * 1000 from worker_leases where expires_at >= now()
        )::float8 as "expiresInMs"`,
  };
}

/** Frees nothing in the first seconds of PostgreSQL, because no worker could renew before. Tries the lock last. */
const FREE_EXPIRED = freeing(
  'free-expired-pools',
  `dead as (
    delete from worker_leases
    where case
      when expires_at >= now() or pg_postmaster_start_time() >= now() - interval '${LEASE_SECONDS} seconds' then false
      when expires_at < now() - interval '${HALTED_SECONDS} seconds' then true
      else pg_try_advisory_xact_lock(${LOCK_SPACE}, hashtext(pool_id)) end
    returning pool_id)`,
);

/** Also frees a pool whose lease is already deleted: it may have locked more jobs since. */
const FREE_ONE = freeing(
  'free-pool',
  'ended as (delete from worker_leases where pool_id = $1), dead as (select $1::text as pool_id)',
);
