import { tagKey } from '#server/contract/tag-list.ts';
import type { LogCursor } from '#server/core/cursor.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel, ConversationStatus } from '#server/generated/prisma/enums.ts';

// The SQL of the inbox. Every statement here is bounded, however large the workspace is: it walks the newest
// conversations along one index (`walk`), or looks into an index for so many rows at most (`gathered`).

/** How many rows of a tag or of a search are gathered at most; what has more is found by walking. */
const GATHER_MAX = 5_000;

const NEWEST_FIRST = Prisma.sql`order by last_message_at desc, id desc`;

/**
 * The newest conversations of a filter along one index, up to `rows` of them. One status is one range of the index; of
 * several each is bounded alone, so that whatever the planner makes of the whole is bounded too. Columns: id,
 * last_message_at, and what `narrowed` reads.
 */
export function walk(
  filter: InboxFilter,
  { after, rows, skip = 0 }: { after?: LogCursor | null; rows: number; skip?: number },
): Prisma.Sql {
  const order = Prisma.sql`order by c.last_message_at desc, c.id desc limit ${rows + skip}::int`;
  const branches = statusesOf(filter).map(
    (status) => Prisma.sql`(
    select c.id, c.last_message_at, c.contact_id, c.assignee_id, c.team_id, c.channel, c.search
    from conversations c
    where c.workspace_id = ${filter.workspaceId}::uuid and c.status = ${status}::conversation_status
      and ${lead(filter)} and c.merged_into_id is null and not c.is_test and ${isAfter(after)} ${order})`,
  );
  return Prisma.sql`select * from (${Prisma.join(branches, ' union all ')}) b ${NEWEST_FIRST}
    limit ${rows}::int offset ${skip}::int`;
}

/** The part of a filter that the walked index answers: the narrowest that is asked for. */
function lead({ assigneeId, teamId, channel }: InboxFilter): Prisma.Sql {
  if (assigneeId) return Prisma.sql`c.assignee_id = ${assigneeId}::uuid`;
  if (teamId !== undefined) return Prisma.sql`c.team_id = ${teamId}::uuid`;
  if (assigneeId === null) return Prisma.sql`c.assignee_id is null`;
  if (channel !== undefined) return Prisma.sql`c.channel = ${channel}::channel`;
  return Prisma.sql`true`;
}

function isAfter(after: LogCursor | null | undefined): Prisma.Sql {
  return after
    ? Prisma.sql`(c.last_message_at, c.id) <
        (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : Prisma.sql`true`;
}

/** Whether a filter is answered by walking an index alone, every row of it. */
export function isWalkedAlone({ assigneeId, teamId, channel, tag, search }: InboxFilter): boolean {
  const asked = [assigneeId, teamId, channel].filter((value) => value !== undefined);
  return asked.length <= 1 && tag === undefined && search === undefined;
}

/**
 * Narrows walked rows `w` to the whole filter; nested loops by construction, so that it ends when enough are found. `offset 0` has
 * the words be looked for in the messages of one conversation: their index would be asked for all of the workspace each time.
 */
export function narrowed(filter: InboxFilter): { joins: Prisma.Sql; where: Prisma.Sql } {
  const { workspaceId, tag } = filter;
  const joins: Prisma.Sql[] = [];
  const where = [sameColumns('w', filter)];
  if (tag !== undefined) {
    joins.push(Prisma.sql`cross join lateral (
      select 1 from conversation_tags t where t.conversation_id = w.id and t.key = ${tagKey(tag)} limit 1) tagged`);
  }
  const query = searchQuery(filter);
  if (query) {
    joins.push(Prisma.sql`left join lateral (select true as yes from contacts p
      where p.workspace_id = ${workspaceId}::uuid and p.id = w.contact_id and p.search @@ ${query} limit 1) by_contact on true
    left join lateral (select true as yes from (
        select m.search from messages m
        where by_contact.yes is null and (w.search @@ ${query}) is not true and m.conversation_id = w.id offset 0) m
      where m.search @@ ${query} limit 1) by_message on true`);
    where.push(Prisma.sql`(w.search @@ ${query} or by_contact.yes or by_message.yes)`);
  }
  return { joins: Prisma.join([Prisma.sql``, ...joins], ' '), where: Prisma.join(where, ' and ') };
}

/** What of a filter the columns decide of a conversation, except its status. */
function sameColumns(alias: 'w' | 'c', { assigneeId, teamId, channel }: InboxFilter): Prisma.Sql {
  const c = Prisma.raw(alias);
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...(assigneeId === undefined
        ? []
        : [Prisma.sql`${c}.assignee_id is not distinct from ${assigneeId}::uuid`]),
      ...(teamId === undefined ? [] : [Prisma.sql`${c}.team_id = ${teamId}::uuid`]),
      ...(channel === undefined ? [] : [Prisma.sql`${c}.channel = ${channel}::channel`]),
    ],
    ' and ',
  );
}

/** The search of a filter as a query for one workspace, or null when nothing is searched for. */
function searchQuery({ workspaceId, search }: InboxFilter): Prisma.Sql | null {
  const words = search === undefined ? null : searchWords(search);
  if (words === null) return null;
  return Prisma.sql`(${`'w:${workspaceId}'`}::tsquery && to_tsquery('simple', ${words}))`;
}

/**
 * The conversations of a tag or a search by its own index, in no order: `found` (id), which holds whatever was looked
 * at, and `looked`, whether that was all. To be put before a statement. Only for filters with a tag or a search.
 */
export function gathered(filter: InboxFilter): Prisma.Sql {
  const { workspaceId, tag = '' } = filter;
  const most = Prisma.sql`limit ${GATHER_MAX + 1}::int`;
  const query = searchQuery(filter);
  if (!query) {
    return Prisma.sql`with found as materialized (
        select conversation_id as id from conversation_tags
        where workspace_id = ${workspaceId}::uuid and key = ${tagKey(tag)} ${most}),
      looked as materialized (select count(*) <= ${GATHER_MAX} as whole from found)`;
  }
  return Prisma.sql`with people as materialized (select id from contacts where search @@ ${query} ${most}),
    by_message as materialized (
      select conversation_id as id from messages where search @@ ${query} and ${fewIn('people')} ${most}),
    by_subject as materialized (
      select id from conversations where search @@ ${query} and ${fewIn('people')} and ${fewIn('by_message')} ${most}),
    by_contact as materialized (
      select c.id from people p cross join lateral (
        select id from conversations where workspace_id = ${workspaceId}::uuid and contact_id = p.id ${most}) c
      where ${fewIn('people')} and ${fewIn('by_message')} ${most}),
    found as materialized (
      select id from by_message union select id from by_subject union select id from by_contact),
    looked as materialized (select greatest(
      (select count(*) from people), (select count(*) from by_message),
      (select count(*) from by_subject), (select count(*) from by_contact)) <= ${GATHER_MAX} as whole)`;
}

/** Whether a part before this one found all there is; when it did not, there is no use in looking any further. */
function fewIn(part: 'people' | 'by_message'): Prisma.Sql {
  return Prisma.sql`(select count(*) from ${Prisma.raw(part)}) <= ${GATHER_MAX}`;
}

/**
 * The conversations `c` among the gathered ones that the whole filter lets through, unless there are too many; nested
 * loops by construction too.
 */
export function fromGathered(filter: InboxFilter, after?: LogCursor | null): Prisma.Sql {
  const { workspaceId, tag, search } = filter;
  const tagged =
    tag === undefined || search === undefined
      ? Prisma.sql``
      : Prisma.sql`cross join lateral (
          select 1 from conversation_tags t where t.conversation_id = c.id and t.key = ${tagKey(tag)} limit 1) tagged`;
  return Prisma.sql`from found
    cross join lateral (select * from conversations where id = found.id limit 1) c ${tagged}
    where (select whole from looked)
      and c.workspace_id = ${workspaceId}::uuid and c.merged_into_id is null and not c.is_test
      and c.status = any(${statusesOf(filter)}::conversation_status[])
      and ${sameColumns('c', filter)} and ${isAfter(after)}`;
}

/** A status as a value in a statement. */
export function statusValue(status: ConversationStatus): Prisma.Sql {
  return Prisma.sql`${status}::text`;
}

/** Where a row is in the list, in microseconds since 1970: no number of JavaScript's could say it. */
export const MICROS = Prisma.sql`((extract(epoch from last_message_at) * 1000000)::bigint)::text`;

/** What the inbox is narrowed to; merged conversations and tests of the AI agent are never in it. */
export type InboxFilter = {
  workspaceId: string;
  status?: ConversationStatus | undefined;
  /** A teammate's id, or null for conversations that no one has. */
  assigneeId?: string | null | undefined;
  teamId?: string | undefined;
  channel?: Channel | undefined;
  /** Without regard to case. */
  tag?: string | undefined;
  /** Words of the contact's name, email or phone, of the subject, or of one message. */
  search?: string | undefined;
};

/** The statuses that a filter lets through. */
export function statusesOf({ status }: InboxFilter): ConversationStatus[] {
  return status ? [status] : ['open', 'pending', 'solved', 'closed'];
}
