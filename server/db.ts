import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { settings } from '#server/env.ts';
import { type Prisma, PrismaClient } from '#server/generated/prisma/client.ts';
import { settleRuns } from '#server/run-coalesced.ts';

/** A transaction of Prisma: what a domain function that changes something takes first. */
export type Tx = Prisma.TransactionClient;
/** A transaction or the client itself: what a domain function that only reads takes. */
export type Db = PrismaClient | Tx;

const MAX_WAIT_MS = 10_000;
const TIMEOUT_MS = 15_000;
const ATTEMPTS = 4;
/**
 * A connection that no longer answers, because something between cut it off without a word, is given up after so long,
 * in milliseconds; a process that froze within a transaction loses its locks then.
 */
const PATIENCE = {
  keepAlive: true,
  connectionTimeoutMillis: 10_000,
  query_timeout: 20_000,
  idle_in_transaction_session_timeout: 20_000,
};
/** Prisma's codes for a write conflict or deadlock, and PostgreSQL's own within raw statements. */
const RETRIED = /P2034|40001|40P01/;

const shared = globalThis as typeof globalThis & { servicePool?: pg.Pool; servicePrisma?: PrismaClient };

/** The pool of the few prepared statements on the hottest paths. Shared by Next's copy of this module. */
export function pool(): pg.Pool {
  if (!shared.servicePool) {
    const { DATABASE_URL, DB_POOL_MAX } = settings();
    shared.servicePool = new pg.Pool({ ...PATIENCE, connectionString: DATABASE_URL, max: DB_POOL_MAX });
    // A connection that breaks is replaced by the pool; without listeners it would end the process.
    shared.servicePool.on('error', () => {});
    shared.servicePool.on('connect', (client) => client.on('error', () => {}));
  }
  return shared.servicePool;
}

/** The data layer, for everything else. */
export function db(): PrismaClient {
  if (!shared.servicePrisma) {
    const { DATABASE_URL, DB_POOL_MAX } = settings();
    const adapter = new PrismaPg(
      { ...PATIENCE, connectionString: DATABASE_URL, max: DB_POOL_MAX },
      { onPoolError: () => {}, onConnectionError: () => {} },
    );
    shared.servicePrisma = new PrismaClient({ adapter });
  }
  return shared.servicePrisma;
}

/** What is to be done once a transaction is committed. */
const afterCommits = new WeakMap<Db, Set<() => void>>();

/**
 * Has something done once a transaction of `inTransaction` is committed, and never if it is not: for news of the
 * change, which nobody may hear before it is there. It must not throw. The same function given again is done once.
 * Outside of a transaction it is done at once.
 */
export function afterCommit(db: Db, work: () => void): void {
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
    const noting = (tx: Tx) => {
      afterCommits.set(tx, works);
      return change(tx);
    };
    try {
      const result = await db().$transaction(noting, { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS });
      for (const work of works) work();
      return result;
    } catch (error) {
      if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}

/** Closes every connection of the process, when it ends. */
export async function closeDatabase(): Promise<void> {
  await settleRuns();
  const { servicePrisma, servicePool } = shared;
  delete shared.servicePrisma;
  delete shared.servicePool;
  await Promise.all([servicePrisma?.$disconnect(), servicePool?.end()]);
}

/** Whether a transaction was broken off because of another one, and is worth trying again. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const cause = 'meta' in error ? JSON.stringify(error.meta) : '';
  return RETRIED.test(code) || (code === 'P2010' && RETRIED.test(cause));
}
