import type { Client } from 'pg';
import { keepConnection } from '#server/core/database/keep-connection.ts';

/** Keeps these locks apart from others of the database. */
const LOCK_SPACE = 4_522;
/** Timeout for a connection when a pool is shown, in ms. A busy machine takes seconds to connect. */
const PATIENCE_MS = 10_000;
/** A process that gets no processor may take long to read a response: that is no reason to give up its session, in milliseconds. */
const RESPONSE_MS = 15_000;
/** A machine that does not answer on the network for so long is gone, and PostgreSQL ends its session, in seconds. */
const GONE_SECONDS = 10;
const KEEPALIVE_SECONDS = 2;
const KEEPALIVES = GONE_SECONDS / KEEPALIVE_SECONDS - 1;

/** The session of this process by which others see that it is there, however long it has said nothing. */
export type Presence = {
  /**
   * This process has this pool.
   * @throws when the database cannot be reached
   */
  show(poolId: string): Promise<void>;
  /** It has ended. */
  hide(poolId: string): Promise<void>;
  /** Whether the session is there, as far as this process knows. */
  isThere(): boolean;
  /** The database is back. */
  retry(): void;
  close(): Promise<void>;
};

/**
 * Keeps a session that holds a lock for each pool of this process. The system closes it when the process dies, so a lock that
 * is held says that the process is only slow: it gets no processor, or is halted. On a connection that restores itself.
 */
export function keepPresence(): Presence {
  const shown = new Set<string>();
  const lockedBy = new WeakMap<Client, Set<string>>();

  async function lock(client: Client, poolIds: string[]): Promise<void> {
    const locked = lockedBy.get(client) ?? new Set();
    lockedBy.set(client, locked);
    const missing = poolIds.filter((poolId) => !locked.has(poolId));
    for (const poolId of missing) locked.add(poolId);
    if (missing.length > 0) await client.query(LOCK, [missing]);
  }

  const connection = keepConnection({
    name: `lease-${process.pid}`,
    prepare: async (client) => {
      await client.query(KEEPALIVE);
      await lock(client, [...shown]);
    },
    responseMs: RESPONSE_MS,
  });

  return {
    show: async (poolId) => {
      shown.add(poolId);
      try {
        await connection.ready(PATIENCE_MS);
        const client = connection.client();
        if (!client) throw notConnected();
        await lock(client, [poolId]);
      } catch (error) {
        shown.delete(poolId);
        throw error;
      }
    },
    hide: async (poolId) => {
      shown.delete(poolId);
      const client = connection.client();
      if (client && lockedBy.get(client)?.delete(poolId)) await client.query(UNLOCK, [poolId]);
    },
    isThere: () => connection.client() !== undefined,
    retry: connection.retry,
    close: connection.close,
  };
}

/** The code marks the database as unreachable, so that callers try again. */
function notConnected(): Error {
  const message = `The session for worker leases did not connect to the database within ${PATIENCE_MS / 1_000} s.`;
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** SQL: whether no process has shown itself for the pool of the row that is looked at. */
export const IS_ABSENT = `pg_try_advisory_xact_lock(${LOCK_SPACE}, hashtext(pool_id))`;

const LOCK = `select pg_advisory_lock_shared(${LOCK_SPACE}, hashtext(id)) from unnest($1::text[]) id`;
const UNLOCK = `select pg_advisory_unlock_shared(${LOCK_SPACE}, hashtext($1))`;
const KEEPALIVE =
  `set tcp_keepalives_idle = ${KEEPALIVE_SECONDS}; set tcp_keepalives_interval = ${KEEPALIVE_SECONDS}; ` +
  `set tcp_keepalives_count = ${KEEPALIVES}`;
