import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/**
 * Retention of expired or revoked tokens, in days: a late call gets the reason why its connection ended
 * (docs/rulings.md 2.6).
 */
const TOKENS_KEPT_DAYS = 90;

/**
 * Removes access tokens 90 days after their expiry, or after the end of their connection if that is later.
 * Removes refresh tokens 90 days after their revocation, then the unreachable connections of deleted
 * workspaces. Used codes stay as long as their connection (docs/rulings.md 4.4).
 * @returns the number of deleted rows
 */
export async function removeOldTokens(): Promise<number> {
  return (
    (await removeInBatches(REMOVE_ACCESS_TOKENS)) +
    (await removeInBatches(REMOVE_REFRESH_TOKENS)) +
    (await removeOrphans())
  );
}

/** A token that was live when its connection ended counts from that end, even if it expired before. */
const REMOVE_ACCESS_TOKENS = `
  delete from access_tokens where token_hash in (
    select t.token_hash from access_tokens t
    where t.expires_at < now() - make_interval(days => ${TOKENS_KEPT_DAYS}) and not exists (
      select from connections c
      where c.id = t.connection_id and t.created_at = any(c.live_token_times)
        and c.ended_at >= now() - make_interval(days => ${TOKENS_KEPT_DAYS})
    )
    limit ${BATCH_ROWS} for update skip locked
  )`;

const REMOVE_REFRESH_TOKENS = `
  delete from refresh_tokens where token_hash in (
    select token_hash from refresh_tokens
    where revoked_at < now() - make_interval(days => ${TOKENS_KEPT_DAYS}) limit ${BATCH_ROWS} for update skip locked
  )`;

/** Deletes connections one by one, so that one that cannot be deleted does not block the others. */
function removeOrphans(): Promise<number> {
  return processDue('connection.not_removed', {
    find: (limit, after) => sql().$queryRaw<{ id: string }[]>`
      select c.id from connections c
      where c.workspace_id is null and c.ended_at < now() - make_interval(days => ${TOKENS_KEPT_DAYS})
        and c.id > ${after}::uuid
        and not exists (select from refresh_tokens t where t.connection_id = c.id)
      order by c.id limit ${limit}::int`,
    work: async ({ id }) => (await db().connection.deleteMany({ where: { id } })).count === 1,
  });
}
