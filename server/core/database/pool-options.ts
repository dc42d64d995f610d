import pg, { type PoolConfig } from 'pg';
import { settings } from '#server/core/env.ts';

/** How long the database may take, in milliseconds: for a statement, and to wait for a lock within it. */
export type Limits = { statementMs: number; lockMs: number };

/** For what someone waits for, and for the jobs that follow from it. */
export const REQUEST_LIMITS: Limits = { statementMs: 20_000, lockMs: 10_000 };
/** For what is removed in batches, for which no one waits. */
export const CLEAN_UP_LIMITS: Limits = { statementMs: 60_000, lockMs: 30_000 };

/** A process that froze within a transaction loses its locks after so long, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 20_000;
/** How much longer than the database's own limit its response is waited for, in milliseconds. */
const GRACE_MS = 2_000;

/**
 * How a pool connects. A connection that no longer answers, because something between cut it off without a word, is
 * given up soon after the database should have broken its statement off.
 *
 * Through a pooler in transaction mode (`DATABASE_DIRECT_URL` is set) the next transaction may be another connection's:
 * nothing may be set or prepared for the session. There the limits are the database role's own (docs/operations.md).
 * @param isDirect for what belongs to a session: `LISTEN`, locks of a session, limits of its own
 * @param plans how its statements are planned, as options of a session; nothing through a pooler
 */
export function poolOptions(
  { statementMs, lockMs }: Limits,
  { isDirect = false, plans = '' }: { isDirect?: boolean; plans?: string } = {},
): PoolConfig {
  const shared = {
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: statementMs + GRACE_MS,
  };
  if (isPooled() && !isDirect) {
    return { ...shared, connectionString: settings().DATABASE_URL, Client: UnnamedClient };
  }
  return {
    ...shared,
    connectionString: directUrl(),
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(plans ? { options: plans } : {}),
  };
}

/** Whether `DATABASE_URL` leads through a pooler that gives each transaction another connection. */
export function isPooled(): boolean {
  return settings().DATABASE_DIRECT_URL !== undefined;
}

/** The address of the database itself, for what belongs to a session. */
export function directUrl(): string {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = settings();
  return DATABASE_DIRECT_URL ?? DATABASE_URL;
}

/** Prepares nothing under a name: the connection that knows it may be another transaction's by then. */
class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this);
    const unnamed = (first: unknown, ...rest: unknown[]) =>
      Reflect.apply(query, this, [withoutName(first), ...rest]);
    Object.assign(this, { query: unnamed });
  }
}

/** A statement as text, as text with a name, or as an object that sends itself. */
function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  if ('submit' in statement) return statement;
  const { name: _, ...unnamed } = statement;
  return unnamed;
}
