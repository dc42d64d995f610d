import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '#server/core/log.ts';

/** For how long and how often something is tried while the database is away, in milliseconds. */
const TRY_FOR_MS = 15_000;
const PAUSE_MS = 200;

/**
 * PostgreSQL is shutting down, starting, full, has no room left on its disk, or has cut the connection; Node could not reach it; Prisma or its
 * adapter say either, or could not begin a transaction in time.
 */
const AWAY_CODES = new Set([
  ...['53100', '57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '08P01', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
]);
const AWAY_MESSAGES =
  /Connection terminated|terminating connection|Client has encountered a connection error|Query read timeout/;
/** Where an error says what it is, and where it keeps the error it came of. */
const CODES = ['code', 'originalCode', 'kind'];
const CAUSES = ['cause', 'meta', 'driverAdapterError'];

/**
 * Does something again while the database is away, for what must not be lost: the result of a request that was
 * made. Only for what may be done twice.
 * @param tryForMs for how long at most
 */
export async function retryWhileDatabaseAway<T>(work: () => Promise<T>, tryForMs = TRY_FOR_MS): Promise<T> {
  const giveUpAt = performance.now() + tryForMs;
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
  if (typeof error !== 'object' || error === null) return false;
  return (
    CODES.some((key) => AWAY_CODES.has(Reflect.get(error, key))) ||
    AWAY_MESSAGES.test(String(Reflect.get(error, 'message'))) ||
    CAUSES.some((key) => isDatabaseAway(Reflect.get(error, key)))
  );
}
