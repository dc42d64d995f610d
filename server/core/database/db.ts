import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { JoinablePool } from '#server/core/database/joinable-pool.ts';
import { openTransaction } from '#server/core/database/open-transaction.ts';
import {
  CLEAN_UP_LIMITS,
  isPooled,
  poolOptions,
  REQUEST_LIMITS,
} from '#server/core/database/pool-options.ts';
import { settings } from '#server/core/env.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';
import { type Prisma, PrismaClient } from '#server/generated/prisma/client.ts';

/** A transaction of Prisma: what a domain function that changes something takes first. */
export type Tx = Prisma.TransactionClient;
/** A transaction or the client itself: what a domain function that only reads takes. */
export type Db = PrismaClient | Tx;

const ATTEMPTS = 4;
/** Prisma's codes for a write conflict or deadlock, and PostgreSQL's own within raw statements. */
const RETRIED = /P2034|40001|40P01/;

/** What connections of a process are for. */
type Purpose = 'requests' | 'data' | 'deliveries' | 'sessions' | 'clean-up';

const shared = globalThis as typeof globalThis & {
  servicePools?: Map<Purpose, pg.Pool>;
  servicePrisma?: PrismaClient;
};

/** How many connections removing what is old may take, and how many the engine. */
const CLEAN_UP_MAX = 2;
const DELIVERY_MAX = 5;
const KEPT_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_hashjoin=off', 'enable_mergejoin=off']
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** The pool of the few prepared statements on the hottest paths. Shared by Next's copy of this module. */
export function pool(): pg.Pool {
  return keptPool('requests', () => ({ ...poolOptions(REQUEST_LIMITS), max: settings().DB_POOL_MAX }));
}

/** The pool of the data layer and of transactions: these keep no statement of the other pool waiting. */
export function dataPool(): pg.Pool {
  return keptPool(
    'data',
    () => ({ ...poolOptions(REQUEST_LIMITS), max: settings().DB_POOL_MAX }),
    JoinablePool,
  );
}

/**
 * The engine's few statements, each of which is one at a time. They find their rows by key, so they are planned once a
 * connection: planning takes longer than doing. A plan that was made while a table was empty must not read all of it
 * later, as one with a hash or a merge would.
 */
export function deliveryPool(): pg.Pool {
  return keptPool('deliveries', () => ({
    ...poolOptions(REQUEST_LIMITS, { plans: KEPT_PLANS }),
    max: Math.min(DELIVERY_MAX, settings().DB_POOL_MAX),
  }));
}

/** For what belongs to a session, `LISTEN` and its locks: the usual pool, unless that leads through a pooler. */
export function sessionPool(): pg.Pool {
  if (!isPooled()) return pool();
  return keptPool('sessions', () => ({
    ...poolOptions(REQUEST_LIMITS, { isDirect: true }),
    max: settings().DB_POOL_MAX,
  }));
}

/** For removing what is old: its statements may take longer than those for which someone waits. */
export function cleanUpPool(): pg.Pool {
  return keptPool('clean-up', () => ({
    ...poolOptions(CLEAN_UP_LIMITS, { isDirect: true }),
    max: CLEAN_UP_MAX,
  }));
}

function keptPool(name: Purpose, options: () => pg.PoolConfig, Pool = pg.Pool): pg.Pool {
  shared.servicePools ??= new Map();
  const kept = shared.servicePools.get(name);
  if (kept) return kept;
  const made = new Pool(options());
  // A connection that breaks is replaced by the pool; without listeners it would end the process.
  made.on('error', () => {});
  made.on('connect', (client) => client.on('error', () => {}));
  shared.servicePools.set(name, made);
  return made;
}

/** The data layer, for everything else. */
export function db(): PrismaClient {
  if (!shared.servicePrisma) {
    shared.servicePrisma = new PrismaClient({ adapter: new PrismaPg(dataPool()) });
  }
  return shared.servicePrisma;
}

/** What is to be done once a transaction is committed. */
const afterCommits = new WeakMap<object, Set<() => void>>();

/**
 * Has something done once a transaction of `inTransaction` is committed, and never if it is not: for live messages of the
 * change, which no one may hear before it is there. It must not throw. The same function given again is done once.
 * Outside of a transaction it is done at once.
 */
export function afterCommit(db: object, work: () => void): void {
  const works = afterCommits.get(db);
  if (works) works.add(work);
  else work();
}

/**
 * Runs `change` in one transaction; deadlocks and serialization faults are tried again, three times.
 * Locks are taken in the order workspace, connection, hook, conversation, contact.
 */
export async function inTransaction<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const works = new Set<() => void>();
    try {
      const result = await attemptChange(change, works);
      for (const work of works) work();
      return result;
    } catch (error) {
      if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}

async function attemptChange<T>(change: (tx: Tx) => Promise<T>, works: Set<() => void>): Promise<T> {
  const open = await openTransaction(dataPool(), db());
  afterCommits.set(open.tx, works);
  let result: T;
  try {
    result = await change(open.tx);
  } catch (error) {
    await open.undo();
    throw error;
  }
  await open.commit();
  return result;
}

/** Closes every connection of the process, when it ends. */
export async function closeDatabase(): Promise<void> {
  await settleRuns();
  const { servicePrisma, servicePools } = shared;
  delete shared.servicePrisma;
  delete shared.servicePools;
  await servicePrisma?.$disconnect();
  await Promise.all([...(servicePools?.values() ?? [])].map((each) => each.end()));
}

/** Whether a transaction was broken off because of another one, and is worth trying again. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const cause = 'meta' in error ? JSON.stringify(error.meta) : '';
  return RETRIED.test(code) || (code === 'P2010' && RETRIED.test(cause));
}
