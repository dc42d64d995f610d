/** A standby refuses to write: a connection has outlived the promotion of another PostgreSQL. */
const READ_ONLY_CODE = '25006';
/**
 * The database is shutting down, starting, a standby or out of connections or disk space, or has cut the connection; Node could not reach
 * it; every connection of the pool stayed in use; Prisma or its adapter report any of that, or could not begin a transaction in
 * time.
 */
const AWAY_CODES = new Set<unknown>([
  READ_ONLY_CODE,
  ...['53100', '57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '08P01', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
]);
const AWAY_MESSAGES =
  /Connection terminated|terminating connection|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect/;
const UNIQUE_VIOLATION_CODES = new Set<unknown>(['23505', 'P2002']);
const FOREIGN_KEY_VIOLATION_CODES = new Set<unknown>(['23503', 'P2003']);
const CANCELED_CODE = '57014';
/** Deadlocks and serialization failures. */
const CONFLICT_CODES = new Set<unknown>(['40001', '40P01', 'P2034']);

/** Returns whether the database is a standby, which refuses to write. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, new Set<unknown>([READ_ONLY_CODE]));
}

/** Returns whether the database could not be reached, is no longer the primary, or closed the connection. */
export function isDatabaseAway(error: unknown): boolean {
  return (
    hasCode(error, AWAY_CODES) ||
    inCauses(error, (each) => AWAY_MESSAGES.test(String(Reflect.get(each, 'message'))))
  );
}

/** Returns whether a unique index refused a row because another transaction wrote it first. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION_CODES);
}

/** Returns whether a row refers to a row that another transaction deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION_CODES);
}

/** Returns whether a transaction failed because of another one, so that a retry may succeed. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, CONFLICT_CODES);
}

/** Returns whether PostgreSQL canceled a statement, usually because it reached its timeout. */
export function isCanceled(error: unknown): boolean {
  return hasCode(error, new Set<unknown>([CANCELED_CODE]));
}

/** The fields in which Prisma, its adapter and `pg` store the code of an error, and the error that caused it. */
const CODES = ['code', 'originalCode', 'kind'];
const CAUSES = ['cause', 'meta', 'driverAdapterError'];

/** Returns whether an error or one of its causes has one of the codes. */
function hasCode(error: unknown, codes: Set<unknown>): boolean {
  return inCauses(error, (each) => CODES.some((key) => codes.has(Reflect.get(each, key))));
}

/** Returns whether `matches` holds for an error or one of its causes, as Prisma, its adapter, tRPC and Node nest them. */
function inCauses(error: unknown, matches: (error: object) => boolean): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return matches(error) || CAUSES.some((key) => inCauses(Reflect.get(error, key), matches));
}
