import { sessionPool } from '#server/core/database/pools.ts';

/** First key of these advisory locks. */
const LOCK_SPACE = 4_521;

/**
 * Locks the notifications, invitations or accounts that no other process is mailing about, and runs `work` with their ids. The
 * locks belong to the session: no
 * transaction is open while mail is sent, and PostgreSQL frees them when the process dies.
 */
export async function withMailLocks(ids: string[], work: (mine: string[]) => Promise<void>): Promise<void> {
  const client = await sessionPool().connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from unnest($1::text[]) as id where pg_try_advisory_lock(${LOCK_SPACE}, hashtext(id))`,
      [ids],
    );
    await work(rows.map(({ id }) => id));
  } finally {
    const isClean = await client.query('select pg_advisory_unlock_all()').then(
      () => true,
      () => false,
    );
    // Close a connection that may still hold locks.
    client.release(!isClean);
  }
}
