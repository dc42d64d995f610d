import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '#server/log.ts';

/** For how long and how often something is tried while the database is away, in milliseconds. */
const TRY_FOR_MS = 15_000;
const PAUSE_MS = 200;

/** PostgreSQL is shutting down, starting or has cut the connection; Node could not reach it; Prisma says either. */
const AWAY_CODES =
  /^(57P0[123]|08\w{3}|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|P1001|P1002|P1008|P1017|P2024)$/;
const AWAY_MESSAGES =
  /Connection terminated|terminating connection|Client has encountered a connection error/;

/**
 * Does something again while the database is away, for what must not be lost: the result of a request that was
 * made. Only for what may be done twice.
 */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + TRY_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      log().debug({ err: error }, 'database.away');
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether an error says that the database could not be reached or broke the connection off. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    const meta = 'meta' in cause ? JSON.stringify(cause.meta) : '';
    if (AWAY_CODES.test(code) || AWAY_MESSAGES.test(cause.message) || AWAY_MESSAGES.test(meta)) return true;
  }
  return false;
}
