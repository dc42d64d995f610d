import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { pool } from '#server/core/database/db.ts';
import { REMOVED_AT_ONCE, removeInBatches } from '#server/core/database/remove-in-batches.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';

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

/**
 * How long connecting and each command may take, in milliseconds: a call waits no longer for its limit, and a busy
 * process still hears the response before it gives up. A call passes when counting fails, so this is not made shorter.
 */
const TIMEOUT_MS = 3_000;
/** How long a connection that does not answer any more may take to close, in milliseconds. */
const CLOSE_MS = 100;
/** The longest pause before the next attempt to connect, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** A connection that restores itself for as long as it is not closed. */
type RedisConnection = {
  client: Redis;
  /** Resolves when it is ready for the first time or turns out not to be, after three seconds at most. */
  opened: Promise<void>;
  /** Gives up a connection that is of no use any more: until there is another, commands fail at once. */
  noteFault(error: unknown): void;
  close(): void;
};

/**
 * Connects to a Redis. A command fails at once while there is no connection, and never waits in a queue nor is sent
 * a second time. Losing the connection and having it back is logged once each; `url` may hold a password and is not.
 */
function connectRedis(url: string): RedisConnection {
  const client = new Redis(url, {
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    disconnectTimeout: CLOSE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // What was under way when the connection broke fails with it.
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_PAUSE_MS),
    disableClientInfo: true,
  });
  let lost = false;
  let leaving = false;
  client.on('error', (error) => {
    if (!lost) log().error({ err: error }, 'limit.redis_lost');
    lost = true;
  });
  client.on('ready', () => {
    if (lost) log().info('limit.redis_back');
    lost = false;
  });
  client.on('close', () => {
    leaving = false;
  });
  return {
    client,
    opened: firstReady(client),
    noteFault: (error) => {
      if (leaving || client.status !== 'ready' || !isOfNoUse(error)) return;
      leaving = true;
      client.disconnect(true);
    },
    close: () => client.disconnect(),
  };
}

function firstReady(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, TIMEOUT_MS);
    const settle = () => {
      clearTimeout(patience);
      client.off('ready', settle).off('error', settle);
      resolve();
    };
    client.once('ready', settle).once('error', settle);
  });
}

/** It does not answer, or is a primary that was demoted: by now the address leads to another one. */
function isOfNoUse(error: unknown): boolean {
  return error instanceof Error && /^Command timed out$|READONLY/.test(error.message);
}

/** Removes what was counted in windows that ended an hour ago. Returns how many rows went. */
export function removeOldLimits(): Promise<number> {
  return removeInBatches(`
    delete from rate_limits where key in (
      select key from rate_limits where expire < (extract(epoch from now()) - 3600) * 1000
      limit ${REMOVED_AT_ONCE} for update skip locked
    )`);
}
