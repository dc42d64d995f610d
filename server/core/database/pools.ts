import { AsyncLocalStorage } from 'node:async_hooks';
import pg, { type PoolConfig } from 'pg';
import { isReadOnly } from '#server/core/database/errors.ts';
import { settings } from '#server/core/env.ts';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';
import { processState } from '#server/core/process-state.ts';
import { traceStatements } from '#server/core/tracing/trace-statements.ts';

/** Timeouts that PostgreSQL enforces, in ms: for a statement, and for the wait for a lock. */
type Timeouts = { statementMs: number; lockMs: number };

/** For requests, and for the jobs that follow from them. */
const REQUEST_TIMEOUTS: Timeouts = { statementMs: 20_000, lockMs: 10_000 };
/** For what a page or list shows: a teammate does not wait longer. */
const SCREEN_TIMEOUTS: Timeouts = { statementMs: 5_000, lockMs: 5_000 };
/** For statements that remove old rows: nobody waits for them. */
const CLEAN_UP_TIMEOUTS: Timeouts = { statementMs: 60_000, lockMs: 30_000 };
/** Timeout after which PostgreSQL rolls back an idle transaction of a frozen process, in ms. */
const IDLE_IN_TRANSACTION_MS = 20_000;
/** Maximum wait for a connection, in ms. */
const CONNECT_MS = 10_000;
/** The same for the replica. */
const REPLICA_CONNECT_MS = 1_000;
/** The process waits this much longer than PostgreSQL's own timeout, in ms. */
const GRACE_MS = 2_000;

/**
 * Closes an idle connection within 20 s when the machine at its other end no longer responds. Node probes ten times, a second apart, after the
 * delay. Without it the system waits for two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const CLEAN_UP_MAX = 2;
const DELIVERY_MAX = 5;
/** Session settings of the delivery pool: one generic plan per statement, which looks rows up by their keys. */
const KEYED_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_hashjoin=off', 'enable_mergejoin=off'];

type Purpose = 'requests' | 'screens' | 'replica' | 'deliveries' | 'sessions' | 'clean-up';

const pools = processState(() => new Map<Purpose, pg.Pool>());
/** Session whose page or list is read. */
const screenReads = new AsyncLocalStorage<string>();
/** Set while reads may use the replica. */
const replicaReads = new AsyncLocalStorage<true>();

/**
 * Returns the pool of requests and jobs, for single statements and transactions. What screens read through it comes from a
 * smaller pool (`readForScreens`).
 */
export function pool(): pg.Pool {
  return poolFor(
    'requests',
    () => poolOptions(REQUEST_TIMEOUTS, { max: settings().DB_POOL_MAX }),
    RequestPool,
  );
}

/**
 * Runs the reads of a page or list of a session on a separate pool, half as large as that of requests, and at most a third
 * of that pool at once. So open lists never take all connections from the API or from other teammates.
 */
export function readForScreens<T>(session: string, read: () => T): T {
  return screenReads.run(session, read);
}

function screenPool(): pg.Pool {
  const max = Math.ceil(settings().DB_POOL_MAX / 2);
  return poolFor('screens', () => poolOptions(SCREEN_TIMEOUTS, { max }));
}

/** Connections that the reads of one session hold at the same time: a third of the pool. */
const screenSlots = makeSemaphore({
  get max() {
    return Math.ceil(screenPool().options.max / 3);
  },
  waitingMax: Number.POSITIVE_INFINITY,
  waitMs: CONNECT_MS,
});

async function connectForScreen(session: string): Promise<pg.PoolClient> {
  const free = await screenSlots(session);
  if (!free) throw new Error('The reads of this session take too long.');
  const client = await screenPool()
    .connect()
    .catch((error: unknown) => {
      free();
      throw error;
    });
  const { release } = client;
  client.release = (...args) => {
    free();
    release(...args);
  };
  return client;
}

/** Runs reads on the replica. Callers use `readFromReplica`, which falls back. */
export function readOnReplica<T>(read: () => T): T {
  return replicaReads.run(true, read);
}

/** Returns the pool of `DATABASE_REPLICA_URL`. It gives up early, because the primary can answer, too. */
export function replicaPool(): pg.Pool {
  return poolFor('replica', () => ({
    ...poolOptions(SCREEN_TIMEOUTS, { max: Math.ceil(settings().DB_POOL_MAX / 2), isDirect: true }),
    connectionString: settings().DATABASE_REPLICA_URL,
    connectionTimeoutMillis: REPLICA_CONNECT_MS,
  }));
}

/** Called with a connection or an error, as `pg.Pool` does for its own `query`. */
type Connected = (error?: Error, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void;

/** Connects to the replica or through the pool of screens while `readOnReplica` or `readForScreens` runs. Prisma uses this pool, too. */
class RequestPool extends pg.Pool {
  override connect(...args: []): Promise<pg.PoolClient>;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    const session = screenReads.getStore();
    const isOnReplica = replicaReads.getStore() ?? false;
    if (!isOnReplica && session === undefined) {
      return Reflect.apply(super.connect, this, connected ? [connected] : []);
    }
    const connecting = isOnReplica ? replicaPool().connect() : connectForScreen(session ?? '');
    if (!connected) return connecting;
    connecting.then(
      (client) => connected(undefined, client, client.release),
      (error: Error) => connected(error),
    );
    return undefined;
  }
}

/**
 * Returns the pool of the delivery engine, which runs each of its few statements one at a time. Planning these takes longer
 * than running them, so each is planned once per connection. A plan made while a table was empty must not scan it later, as a
 * hash or merge join would.
 */
export function deliveryPool(): pg.Pool {
  const max = Math.min(DELIVERY_MAX, settings().DB_POOL_MAX);
  return poolFor('deliveries', () => poolOptions(REQUEST_TIMEOUTS, { max, sessionSettings: KEYED_PLANS }));
}

/** Returns a pool for session state (`LISTEN`, advisory locks): `pool()`, unless that one leads through a pooler. */
export function sessionPool(): pg.Pool {
  if (!isPooled()) return pool();
  const max = settings().DB_POOL_MAX;
  return poolFor('sessions', () => poolOptions(REQUEST_TIMEOUTS, { max, isDirect: true }));
}

/** Returns the pool for removing old rows and for exports, with longer timeouts. While `readOnReplica` runs, it is that of the replica. */
export function cleanUpPool(): pg.Pool {
  if (replicaReads.getStore()) return replicaPool();
  return poolFor('clean-up', () => poolOptions(CLEAN_UP_TIMEOUTS, { max: CLEAN_UP_MAX, isDirect: true }));
}

/** Closes all pools of the process. */
export async function closePools(): Promise<void> {
  await Promise.all([...(pools.take()?.values() ?? [])].map((each) => each.end()));
}

/** Returns whether `DATABASE_URL` leads through a pooler that gives each transaction another connection. */
function isPooled(): boolean {
  return settings().DATABASE_DIRECT_URL !== undefined;
}

/** Returns the address of the database itself, for session state. */
export function directUrl(): string {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = settings();
  return DATABASE_DIRECT_URL ?? DATABASE_URL;
}

function poolFor(purpose: Purpose, options: () => PoolConfig, Pool = pg.Pool): pg.Pool {
  const existing = pools().get(purpose);
  if (existing) return existing;
  const created = openPool(options(), Pool);
  pools().set(purpose, created);
  return created;
}

/**
 * Opens a pool. It replaces a broken connection, whose error would end the process without listeners, and a connection to a PostgreSQL that is no
 * longer the primary, which would refuse every change.
 */
export function openPool(options: PoolConfig, Pool = pg.Pool): pg.Pool {
  const created = new Pool({ ...KEEP_ALIVE, ...options });
  if (settings().OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) traceStatements(created);
  created.on('error', () => {});
  created.on('connect', (client: pg.PoolClient & Pick<pg.Client, 'connection'>) => {
    client.on('error', () => {});
    client.connection.on('errorMessage', (error) => {
      if (isReadOnly(error)) client.end().catch(() => {});
    });
  });
  return created;
}

/**
 * Returns how a pool connects. The process closes a silently broken connection soon after PostgreSQL's own timeout.
 *
 * Through a pooler in transaction mode the next transaction may run on another connection, so nothing is set or prepared for the
 * session. The timeouts and the time zone are then settings of the database role (docs/deployment.md).
 * @param isDirect bypasses a pooler
 */
function poolOptions(
  { statementMs, lockMs }: Timeouts,
  {
    max,
    isDirect = false,
    sessionSettings = [],
  }: { max: number; isDirect?: boolean; sessionSettings?: string[] },
): PoolConfig {
  const common = {
    max,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs + GRACE_MS,
  };
  if (isPooled() && !isDirect) {
    return { ...common, connectionString: settings().DATABASE_URL, Client: UnnamedClient };
  }
  return {
    ...common,
    connectionString: directUrl(),
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // Prisma writes and reads timestamps without their offset.
    options: ['TimeZone=UTC', ...sessionSettings].map((setting) => `-c ${setting}`).join(' '),
  };
}

/** Prepares no named statements: the connection that has them may be another transaction's. */
class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this);
    const unnamed = (first: unknown, ...rest: unknown[]) =>
      Reflect.apply(query, this, [withoutName(first), ...rest]);
    Object.assign(this, { query: unnamed });
  }
}

/** Accepts what `pg` does: a text, an object with a text and perhaps a name, or an object that submits itself. */
function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  if ('submit' in statement) return statement;
  const { name: _, ...unnamed } = statement;
  return unnamed;
}
