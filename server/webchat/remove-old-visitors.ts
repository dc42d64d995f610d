import { db } from '#server/db.ts';

/** So many are removed in a run: the rest can wait for the next minute. */
const BATCH = 1_000;

/**
 * Forgets visitors of web chats who have not written for half a year. Their conversations stay; who comes back begins
 * anew. A visitor is made with their first message, so hardly one has never written.
 * @returns how many went
 */
export async function removeOldVisitors(): Promise<number> {
  return db().$executeRaw`
    delete from visitors where token_hash in (
      select token_hash from visitors
      where last_seen_at < now() - interval '180 days'
      order by last_seen_at
      limit ${BATCH}::int)`;
}
