import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { LimiterStore } from '#server/core/limits/limiter-store.ts';
import { log } from '#server/core/log.ts';

/**
 * How long connecting and each command may take, in milliseconds: a call waits no longer for its limit, and a busy
 * process still hears the response before it gives up. A call passes when counting fails, so this is not made shorter.
 */
const TIMEOUT_MS = 3_000;
/** How long a connection that does not answer any more may take to close, in milliseconds. */
const CLOSE_MS = 100;
/** The longest pause before the next attempt to connect, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** A store on a connection that restores itself for as long as it is not closed. */
export type RedisStore = LimiterStore & {
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
export function connectRedis(url: string): RedisStore {
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
  const limiter = new RateLimiterRedis({
    storeClient: client,
    // A Redis is often shared: the keys say whose they are.
    keyPrefix: 'limits',
    rejectIfRedisNotReady: true,
    // Judging the count is left to the caller.
    points: Number.MAX_SAFE_INTEGER,
  });
  return {
    consume: async (key, points, seconds) => {
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, points, {
        customDuration: seconds,
      });
      return { count: consumedPoints, endsAt: Date.now() + msBeforeNext };
    },
    forget: async (key) => {
      await limiter.delete(key);
    },
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
