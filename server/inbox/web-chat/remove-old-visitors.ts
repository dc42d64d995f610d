import { db } from '#server/core/database/prisma.ts';

/** So many are removed in a run: the rest can wait for the next minute. */
const BATCH = 1_000;

/**
 * Forgets visitors of web chats who have not written for half a year, or not within a day of coming. Conversations
 * stay; who comes back begins another one. Someone who writes at this very moment stays: their row is locked, and
 * passed over.
 * @returns how many went
 */
export async function removeOldVisitors(): Promise<number> {
  const silent = await db().$executeRaw`
    delete from visitors where token_hash in (
      select token_hash from visitors
      where conversation_id is null and created_at < now() - interval '1 day'
      order by created_at
      limit ${BATCH}::int
      for update skip locked)`;
  const gone = await db().$executeRaw`
    delete from visitors where token_hash in (
      select token_hash from visitors
      where last_seen_at < now() - interval '180 days'
      order by last_seen_at
      limit ${BATCH}::int
      for update skip locked)`;
  return silent + gone;
}
