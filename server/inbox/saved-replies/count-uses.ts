import type { SqlDb } from '#server/core/database/sql.ts';

/** Counts the saved replies that a sent reply used. Locks in the order of ids, so parallel calls cannot deadlock. */
export async function countUses(
  db: SqlDb,
  { workspaceId, authorId, ids }: { workspaceId: string; authorId: string; ids: string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    update saved_replies set used_count = used_count + 1, last_used_at = now()
    where id in (
      select id from saved_replies
      where workspace_id = ${workspaceId}::uuid and id = any(${ids}::uuid[])
        and (owner_id is null or owner_id = ${authorId}::uuid)
      order by id for no key update)`;
}
