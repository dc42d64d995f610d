import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

/** More of a kind are not offered. */
const CHOICES_MAX = 200;
const TAGS_MAX = 30;
/** Among how many of the newest conversations tags are counted. */
const LOOKED_AT = 500;

const statement = (workspaceId: string) => Prisma.sql`
    select
      (select coalesce(json_agg(t), '[]') from (
        select id, name from teams where workspace_id = ${workspaceId}::uuid and deleted_at is null order by name limit ${CHOICES_MAX}::int
      ) t) as teams,
      (select coalesce(json_agg(m), '[]') from (
        select u.id, u.name from members m join users u on u.id = m.user_id
        where m.workspace_id = ${workspaceId}::uuid order by u.name limit ${CHOICES_MAX}::int
      ) m) as teammates,
      (select coalesce(json_agg(g.name), '[]') from (
        select min(t.name) as name
        from (
          select id from conversations where workspace_id = ${workspaceId}::uuid and merged_into_id is null and not is_test
          order by created_at desc, id desc limit ${LOOKED_AT}::int
        ) c
        cross join lateral (select key, name from conversation_tags where conversation_id = c.id offset 0) t
        group by t.key order by count(*) desc, t.key limit ${TAGS_MAX}::int
      ) g) as tags`;

/** What the inbox can be narrowed to: teams and teammates by name, and the tags in use now, the most used first. */
export function filterChoices(db: ReadDb, workspaceId: string): Promise<FilterChoices> {
  const none: FilterChoices = { teams: [], teammates: [], tags: [] };
  return ask(
    db,
    read(statement(workspaceId), ([found]: FilterChoices[]) => found ?? none),
  );
}
