import { pool } from '#server/ground/db.ts';
import type { FilterChoices } from '#server/inbox/conversations/views.ts';

/** More of a kind are not offered. */
const CHOICES_MAX = 200;
const TAGS_MAX = 30;
/** Among how many of the newest conversations tags are counted. */
const LOOKED_AT = 500;

const STATEMENT = {
  name: 'filter-choices',
  text: `
    select
      (select coalesce(json_agg(t), '[]') from (
        select id, name from teams where workspace_id = $1 and deleted_at is null order by name limit ${CHOICES_MAX}
      ) t) as teams,
      (select coalesce(json_agg(m), '[]') from (
        select u.id, u.name from members m join users u on u.id = m.user_id
        where m.workspace_id = $1 order by u.name limit ${CHOICES_MAX}
      ) m) as teammates,
      (select coalesce(json_agg(g.name), '[]') from (
        select min(t.name) as name
        from (
          select id from conversations where workspace_id = $1 and merged_into_id is null and not is_test
          order by created_at desc, id desc limit ${LOOKED_AT}
        ) c
        cross join lateral (select key, name from conversation_tags where conversation_id = c.id offset 0) t
        group by t.key order by count(*) desc, t.key limit ${TAGS_MAX}
      ) g) as tags`,
};

/** What the inbox can be narrowed to: teams and teammates by name, and the tags in use now, the most used first. One round trip. */
export async function filterChoices(workspaceId: string): Promise<FilterChoices> {
  const { rows } = await pool().query<FilterChoices>({ ...STATEMENT, values: [workspaceId] });
  return rows[0] ?? { teams: [], teammates: [], tags: [] };
}
