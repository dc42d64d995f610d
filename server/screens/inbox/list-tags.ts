import type { Db } from '#server/core/database/db.ts';

/** So many different tags of a workspace are looked at. */
const TAGS_READ_MAX = 500;

/**
 * The tags in use in a workspace, in alphabetical order, each as it was spelled first somewhere; of more than 500 the
 * first 500. Walks the index from one tag to the next, so that it costs by how many tags there are and not by how many
 * conversations have them.
 */
export async function listTags(db: Db, workspaceId: string): Promise<string[]> {
  const tags = await db.$queryRaw<{ name: string }[]>`
    with recursive walked as (
      (select key, name, 1 as place from conversation_tags where workspace_id = ${workspaceId}::uuid order by key limit 1)
      union all
      select next.key, next.name, walked.place + 1
      from walked
      cross join lateral (
        select t.key, t.name from conversation_tags t
        where t.workspace_id = ${workspaceId}::uuid and t.key > walked.key
        order by t.key limit 1
      ) as next
      where walked.place < ${TAGS_READ_MAX}
    )
    select name from walked`;
  return tags.map(({ name }) => name);
}
