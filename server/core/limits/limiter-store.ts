import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { pool } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { connectRedis, type RedisConnection } from '#server/core/limits/connect-redis.ts';

/** So many in a window of `seconds` that starts at the first. */
export type Window = { points: number; seconds: number };

const shared = globalThis as typeof globalThis & {
  serviceLimiters?: Map<string, RateLimiterAbstract>;
  serviceRedis?: RedisConnection;
};

/** What counts a limit: in Redis if `REDIS_URL` names one, else on an unlogged table of the database. */
export async function limiter(name: string, window: Window): Promise<RateLimiterAbstract> {
  const redis = redisConnection();
  await redis?.opened;
  shared.serviceLimiters ??= new Map();
  const known = shared.serviceLimiters.get(name);
  if (known) return known;
  const made = redis ? countInRedis(redis, name, window) : countInDatabase(name, window);
  shared.serviceLimiters.set(name, made);
  return made;
}

/** Connects to where limits are counted, so that the first call finds it ready. Waits three seconds at most. */
export async function openLimiterStore(): Promise<void> {
  await redisConnection()?.opened;
}

/** What a fault says of the connection is acted upon; the fault itself is the caller's to log. */
export function noteStoreFault(error: unknown): void {
  shared.serviceRedis?.noteFault(error);
}

/** Closes the connection to Redis, if there is one. The database is closed by `closeDatabase`. */
export function closeLimiterStore(): void {
  shared.serviceRedis?.close();
  delete shared.serviceRedis;
  delete shared.serviceLimiters;
}

function redisConnection(): RedisConnection | undefined {
  const { REDIS_URL } = settings();
  if (REDIS_URL !== undefined) shared.serviceRedis ??= connectRedis(REDIS_URL);
  return shared.serviceRedis;
}

function countInRedis({ client }: RedisConnection, name: string, { points, seconds }: Window) {
  return new RateLimiterRedis({
    storeClient: client,
    // A Redis is often shared: the keys say whose they are.
    keyPrefix: `limits:${name}`,
    rejectIfRedisNotReady: true,
    points,
    duration: seconds,
    inMemoryBlockOnConsumed: points + 1,
  });
}

function countInDatabase(name: string, { points, seconds }: Window) {
  return new RateLimiterPostgres({
    storeClient: pool(),
    tableName: 'rate_limits',
    tableCreated: true,
    // `removeOldLimits` does it, which waits for no row.
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
    inMemoryBlockOnConsumed: points + 1,
  });
}
