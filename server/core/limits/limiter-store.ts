import { batchPerTurn } from '#server/core/database/batch.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { REMOVED_AT_ONCE, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { connectRedis, type RedisStore } from '#server/core/limits/redis-store.ts';
import { digest } from '#server/core/secrets.ts';

/** The points that a key has consumed in its window, and the end of the window by `Date.now`. */
export type Count = { count: number; endsAt: number };

/** Counts points per key. The window of a key starts at its first call. */
export type LimiterStore = {
  /** Returns the count with these points included. */
  consume(key: string, points: number, seconds: number): Promise<Count>;
  forget(key: string): Promise<void>;
};

const shared = globalThis as typeof globalThis & { serviceRedis?: RedisStore };

/** Returns the store that all processes share: Redis if `REDIS_URL` is set, else an unlogged table of the database. */
export async function limiterStore(): Promise<LimiterStore> {
  const redis = redisStore();
  await redis?.opened;
  return redis ?? DATABASE_STORE;
}

/** Connects to the store, so that the first call finds it ready. Waits three seconds at most. */
export async function openLimiterStore(): Promise<void> {
  await redisStore()?.opened;
}

/** Replaces a connection to Redis that a fault shows to be of no use. Logging the fault is left to the caller. */
export function noteStoreFault(error: unknown): void {
  shared.serviceRedis?.noteFault(error);
}

/** Closes the connection to Redis, if there is one. The database is closed by `closeDatabase`. */
export function closeLimiterStore(): void {
  shared.serviceRedis?.close();
  delete shared.serviceRedis;
}

function redisStore(): RedisStore | undefined {
  const { REDIS_URL } = settings();
  if (REDIS_URL !== undefined) shared.serviceRedis ??= connectRedis(REDIS_URL);
  return shared.serviceRedis;
}

type Request = { key: string; points: number; seconds: number };

/** Rows are locked in the order of their keys, so that two statements cannot deadlock. */
const CONSUME = {
  name: 'consume-limits',
  text: `
    insert into rate_limits as l (key, points, expire)
    select key, points, $4::bigint + seconds * 1000
    from unnest($1::text[], $2::int[], $3::int[]) as requested (key, points, seconds)
    order by key
    on conflict (key) do update set
      points = case when l.expire <= $4::bigint then excluded.points else l.points + excluded.points end,
      expire = case when l.expire <= $4::bigint then excluded.expire else l.expire end
    returning key, points, expire::float8 as expire`,
};

/**
 * Counts all requests in one statement, and returns the count after each of them. The statement is a transaction of its own and
 * writes an unlogged table only: it commits without a flush, and its row locks are held for no longer than the statement runs.
 */
export async function consumeTogether(requests: Request[]): Promise<Count[]> {
  // Several requests for one key: a statement can update a row only once.
  const totals = new Map<string, Request>();
  const subtotals = requests.map(({ key, points, seconds }) => {
    const subtotal = points + (totals.get(key)?.points ?? 0);
    totals.set(key, { key, points: subtotal, seconds });
    return subtotal;
  });
  const all = [...totals.values()];
  const columns = [
    all.map(({ key }) => key),
    all.map(({ points }) => points),
    all.map(({ seconds }) => seconds),
  ];
  const { rows } = await pool().query<{ key: string; points: number; expire: number }>({
    ...CONSUME,
    values: [...columns, Date.now()],
  });
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  return requests.map(({ key }, n) => {
    const [row, total, subtotal] = [rowOf.get(key), totals.get(key), subtotals[n]];
    if (!row || !total || subtotal === undefined) throw new Error('A limit was not counted.');
    return { count: row.points - total.points + subtotal, endsAt: row.expire };
  });
}

/** All requests of one turn of the event loop share one statement. */
const consume = batchPerTurn(consumeTogether);

const DATABASE_STORE: LimiterStore = {
  consume: (key, points, seconds) => consume({ key: storableKey(key), points, seconds }),
  forget: async (key) => {
    await pool().query('delete from rate_limits where key = $1', [storableKey(key)]);
  },
};

/** The length of the column. */
const KEY_MAX_LENGTH = 255;

/** Replaces a key that PostgreSQL would refuse or change by its digest: it would fail every request of its statement. */
function storableKey(key: string): string {
  if (key.length <= KEY_MAX_LENGTH && !key.includes('\0') && key.isWellFormed()) return key;
  return Buffer.from(digest(key)).toString('base64url');
}

/** Removes the counts of windows that ended over an hour ago. Returns the number of removed rows. */
export function removeOldLimits(): Promise<number> {
  return removeInBatches(`
    delete from rate_limits where key in (
      select key from rate_limits where expire < (extract(epoch from now()) - 3600) * 1000
      limit ${REMOVED_AT_ONCE} for update skip locked
    )`);
}
