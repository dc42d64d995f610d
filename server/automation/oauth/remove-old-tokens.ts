import { db } from '#server/core/database/prisma.ts';
import { processDue } from '#server/core/jobs/process-due.ts';
import { REMOVED_AT_ONCE, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';

/**
 * How long tokens are kept once they are over, in days: so long a late call gets the reason why its connection ended
 * (decisions: requests and errors, 6).
 */
const TOKENS_KEPT_DAYS = 90;

/**
 * Removes access tokens that expired 90 days ago, or whose connection ended later, refresh tokens revoked so long ago, and
 * after that the connections of workspaces that are gone, which no one can ask for any more. Used codes stay as long as
 * their connection (decisions: OAuth, 4).
 * @returns how many rows went
 */
export async function removeOldTokens(): Promise<number> {
  return (
    (await removeInBatches(REMOVE_ACCESS_TOKENS)) +
    (await removeInBatches(REMOVE_REFRESH_TOKENS)) +
    (await removeOrphans())
  );
}

/** One that worked when its connection ended is over only then, though it may have expired long before. */
const REMOVE_ACCESS_TOKENS = `
  delete from access_tokens where token_hash in (
    select t.token_hash from access_tokens t
    where t.expires_at < now() - make_interval(days => ${TOKENS_KEPT_DAYS}) and not exists (
      select from connections c
      where c.id = t.connection_id and c.access_token_hash = t.token_hash
        and c.ended_at >= now() - make_interval(days => ${TOKENS_KEPT_DAYS})
    )
    limit ${REMOVED_AT_ONCE} for update skip locked
  )`;

const REMOVE_REFRESH_TOKENS = `
  delete from refresh_tokens where token_hash in (
    select token_hash from refresh_tokens
    where revoked_at < now() - make_interval(days => ${TOKENS_KEPT_DAYS}) limit ${REMOVED_AT_ONCE} for update skip locked
  )`;

/** One by one, as others refer to them: one that cannot go keeps no other. */
function removeOrphans(): Promise<number> {
  return processDue('connection.not_removed', {
    find: (limit, after) => db().$queryRaw<{ id: string }[]>`
      select c.id from connections c
      where c.workspace_id is null and c.ended_at < now() - make_interval(days => ${TOKENS_KEPT_DAYS})
        and c.id > ${after}::uuid
        and not exists (select from refresh_tokens t where t.connection_id = c.id)
      order by c.id limit ${limit}::int`,
    work: async ({ id }) => (await db().connection.deleteMany({ where: { id } })).count === 1,
  });
}
