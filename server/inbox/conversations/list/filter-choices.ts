import type { Db } from '#server/ground/db.ts';
import type { FilterChoices } from '#server/inbox/conversations/views.ts';

/** More of a kind are not offered. */
const CHOICES_MAX = 200;
const TAGS_MAX = 30;
/** Among how many of the newest conversations tags are counted. */
const LOOKED_AT = 500;

/** What the inbox can be narrowed to: teams and teammates by name, and the tags in use now, the most used first. */
export async function filterChoices(db: Db, workspaceId: string): Promise<FilterChoices> {
  const [teams, members, tags] = await Promise.all([
    db.team.findMany({
      where: { workspaceId, deletedAt: null },
      select: { id: true, name: true },
      orderBy: { name: 'asc' },
      take: CHOICES_MAX,
    }),
    db.member.findMany({
      where: { workspaceId },
      select: { user: { select: { id: true, name: true } } },
      orderBy: { user: { name: 'asc' } },
      take: CHOICES_MAX,
      relationLoadStrategy: 'join',
    }),
    db.$queryRaw<{ name: string }[]>`
      select min(t.name) as name
      from (
        select id from conversations
        where workspace_id = ${workspaceId}::uuid and merged_into_id is null and not is_test
        order by created_at desc, id desc limit ${LOOKED_AT}::int
      ) c
      cross join lateral (
        select key, name from conversation_tags where conversation_id = c.id offset 0) t
      group by t.key order by count(*) desc, t.key limit ${TAGS_MAX}::int`,
  ]);
  return { teams, teammates: members.map(({ user }) => user), tags: tags.map(({ name }) => name) };
}
