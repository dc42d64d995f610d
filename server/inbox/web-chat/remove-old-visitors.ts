import { sql } from '#server/core/database/sql.ts';

/** Maximum number of each kind removed in a run. The next run, a minute later, continues. */
const BATCH = 1_000;

/**
 * Removes visitors of web chats who were inactive for 180 days, or did not write within a day. Their conversations stay. A
 * returning visitor starts a new one. Skips locked rows, so visitors who are writing stay.
 * @returns the number of removed visitors
 */
export async function removeOldVisitors(): Promise<number> {
  const silent = await sql().$executeRaw`
    delete from visitors where token_hash in (
      select token_hash from visitors
      where conversation_id is null and created_at < now() - interval '1 day'
      order by created_at
      limit ${BATCH}::int
      for update skip locked)`;
  const inactive = await sql().$executeRaw`
    delete from visitors where token_hash in (
      select token_hash from visitors
      where last_seen_at < now() - interval '180 days'
      order by last_seen_at
      limit ${BATCH}::int
      for update skip locked)`;
  return silent + inactive;
}
