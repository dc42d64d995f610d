import { sessionPool } from '#server/core/database/db.ts';

/** Keeps these locks apart from others of the database. */
const LOCK_SPACE = 4_521;

/**
 * Runs `work` with the notifications that no one else is mailing just now, and keeps others from mailing them until
 * it is done. The locks belong to a connection, not to a transaction: none is open while a mail server is asked, and
 * they are free at once when the process dies.
 */
export async function withMailLocks(
  notificationIds: string[],
  work: (mine: string[]) => Promise<void>,
): Promise<void> {
  const client = await sessionPool().connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from unnest($1::text[]) as id where pg_try_advisory_lock(${LOCK_SPACE}, hashtext(id))`,
      [notificationIds],
    );
    await work(rows.map(({ id }) => id));
  } finally {
    const isClean = await client.query('select pg_advisory_unlock_all()').then(
      () => true,
      () => false,
    );
    // A connection that may still hold locks is not used again.
    client.release(!isClean);
  }
}
