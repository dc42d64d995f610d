import { validate as isUuid } from 'uuid';
import { remainingId } from '#server/contacts/contact-alias.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import type { LogCursor } from '#server/core/cursor.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Channel, ConversationStatus } from '#server/generated/prisma/enums.ts';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationColumns,
  conversationRecord,
} from '#server/inbox/conversations/conversation-record.ts';

/** A conversation as programs see it. */
export type ConversationDetails = ConversationRecord & {
  last_message_at: string;
  snoozed_until: string | null;
  merged_into_id: string | null;
};

/** Ids are any text: an invalid one matches nothing. Null: conversations without assignee or team. */
export type ConversationsFilter = {
  workspaceId: string;
  status?: ConversationStatus | undefined;
  assigneeId?: string | null | undefined;
  teamId?: string | null | undefined;
  channel?: Channel | undefined;
  tag?: string | undefined;
  /** The id of a merged contact stands for the contact that remains. */
  contactId?: string | undefined;
  updatedSince?: Date | undefined;
};

/** `asc`: oldest change first. `desc`: newest change first. */
export type ChangeOrder = 'asc' | 'desc';

/** A page, and the position where the next one continues; null on the last page. */
export type ConversationsPage = { conversations: ConversationDetails[]; next: LogCursor | null };

/** Maximum size of a page. */
const CONVERSATIONS_MAX = 100;

// Limits are literals: PostgreSQL plans a parameter as a tenth of the rows, and then reads whole tables (docs/decisions/0022).
/** One more than a page, which shows that there is a next one. */
const PAGE_AND_ONE = Prisma.raw(String(CONVERSATIONS_MAX + 1));
/** Conversations that a page checks when no index answers the whole filter. The next page continues there. */
const SCAN_MAX = Prisma.raw('20000');
/** A tag of at most so many conversations is read by its index and sorted. */
const TAGGED_MAX = Prisma.raw('5000');

const IS_LISTED = Prisma.sql`c.merged_into_id is null and not c.is_test and c.removal is null`;
const MICROS = Prisma.sql`(extract(epoch from p.updated_at) * 1000000)::bigint::text`;

type Row = ConversationColumns & {
  lastMessageAt: Date;
  snoozedUntil: Date | null;
  mergedIntoId: string | null;
};

const DETAILS = Prisma.sql`${CONVERSATION_COLUMNS}, c.last_message_at as "lastMessageAt",
  c.snoozed_until as "snoozedUntil", c.merged_into_id as "mergedIntoId"`;

/**
 * Returns conversations after a position, by their last change, without merged, test, spam and deleted ones. Oldest first, a
 * conversation that changes while a caller reads page by page moves to the end, so that none is missed.
 *
 * One statement, bounded however many conversations there are. An index has the order within a status, assignee, team,
 * channel or contact. What else a filter asks for is checked on up to 20,000 conversations: a page can have fewer
 * conversations than the limit, or none, and still a next one.
 * @param limit at most `CONVERSATIONS_MAX`
 */
export async function listConversationsByChange(
  db: SqlDb,
  {
    after,
    limit,
    order = 'asc',
    ...filter
  }: ConversationsFilter & { after: LogCursor | null; limit: number; order?: ChangeOrder | undefined },
): Promise<ConversationsPage> {
  const { assigneeId, teamId, contactId } = filter;
  const ids = [assigneeId, teamId, contactId].filter((id) => typeof id === 'string');
  if (!ids.every((id) => isUuid(id))) return { conversations: [], next: null };
  const rows = await db.$queryRaw<(Row & { micros: string; matches: boolean; isLast: boolean })[]>`
    ${placesOf(filter, { after, order })}
    select ${DETAILS}, ${MICROS} as micros, p.matches, p.is_last as "isLast"
    from (select * from places p ${sorted(order, 'p')} limit ${limit + 1}::int) p
    cross join lateral (select * from conversations where id = p.id limit 1) c ${CONVERSATION_JOINS}
    ${sorted(order, 'p')}`;
  const found = rows.filter(({ matches }) => matches);
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1) : rows.find(({ isLast }) => isLast);
  return {
    conversations: page.map(conversationDetails),
    next: next ? { micros: next.micros, id: next.id } : null,
  };
}

/**
 * Returns a conversation. Also finds a merged one, which names the conversation that it was merged into.
 * @throws Refusal when there is none, or it is a test, spam or deleted, itself or with the one that it was merged into
 */
export async function readConversation(
  db: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ConversationDetails> {
  if (!isUuid(id)) throw notFound('The conversation');
  const [row] = await db.$queryRaw<Row[]>`
    select ${DETAILS} from conversations c ${CONVERSATION_JOINS}
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and ${IS_SHOWN_TO_PROGRAMS}`;
  if (!row) throw notFound('The conversation');
  return conversationDetails(row);
}

/** Returns conversations in the order of their ids. Leaves out those that programs do not see. */
export async function readConversations(
  db: SqlDb,
  { workspaceId, ids }: { workspaceId: string; ids: string[] },
): Promise<ConversationDetails[]> {
  const rows = await db.$queryRaw<Row[]>`
    select ${DETAILS} from unnest(${ids}::uuid[]) with ordinality as requested (id, place)
    cross join lateral (select * from conversations where id = requested.id limit 1) c ${CONVERSATION_JOINS}
    where c.workspace_id = ${workspaceId}::uuid and ${IS_SHOWN_TO_PROGRAMS}
    order by requested.place`;
  return rows.map(conversationDetails);
}

/**
 * Returns whether the APIs may show a conversation, merged or not, by a valid id. Tests of the AI agent, spam and deleted
 * conversations do not exist for them (docs/rulings.md 3.15, 3.34), nor those that were merged into one that is spam or deleted.
 */
export async function isShownToPrograms(
  db: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    select from conversations c
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and ${IS_SHOWN_TO_PROGRAMS}`;
  return found.length > 0;
}

/** SQL of `isShownToPrograms` for `conversations c`. */
export const IS_SHOWN_TO_PROGRAMS = Prisma.sql`not c.is_test and c.removal is null and not exists (
  select from conversations into_ where into_.id = c.merged_into_id and into_.removal is not null)`;

/** Serializes a conversation for programs. */
function conversationDetails(row: Row): ConversationDetails {
  return {
    ...conversationRecord(row),
    last_message_at: timestamp(row.lastMessageAt),
    snoozed_until: timestampOrNull(row.snoozedUntil),
    merged_into_id: row.mergedIntoId,
  };
}

/** Returns a conversation that was just started. */
export function newDetails(conversation: ConversationRecord): ConversationDetails {
  return {
    ...conversation,
    last_message_at: conversation.created_at,
    snoozed_until: null,
    merged_into_id: null,
  };
}

type Range = { after: LogCursor | null; order: ChangeOrder };

/** Returns the CTEs of a page: `places` has its conversations (id, updated_at, matches, is_last), up to one more. */
function placesOf(filter: ConversationsFilter, range: Range): Prisma.Sql {
  const { lead, checks } = conditionsOf(filter);
  const first = Prisma.sql`${sorted(range.order)} limit ${PAGE_AND_ONE}`;
  if (filter.tag === undefined && checks.length === 0) {
    return Prisma.sql`with places as (
      select id, updated_at, true as matches, false as is_last from (${scan(filter, { lead, range, rows: PAGE_AND_ONE })}) c)`;
  }
  const isChecked = Prisma.join([Prisma.sql`true`, ...checks], ' and ');
  const scanned = (tagged: { join: Prisma.Sql; yes: Prisma.Sql; isNeeded: Prisma.Sql }) => Prisma.sql`
    select id, updated_at, matches, is_last from (
      select c.id, c.updated_at, ${isChecked} and ${tagged.yes} as matches, c.place = ${SCAN_MAX} as is_last
      from (select s.*, row_number() over (${sorted(range.order)}) as place
        from (${scan(filter, { lead, range, rows: SCAN_MAX })}) s) c ${tagged.join}
      where ${tagged.isNeeded}) c
    where matches or is_last`;
  if (filter.tag === undefined) {
    const all = { join: Prisma.empty, yes: Prisma.sql`true`, isNeeded: Prisma.sql`true` };
    return Prisma.sql`with places as (${scanned(all)} ${first})`;
  }
  const key = tagKey(filter.tag);
  // The limit keeps PostgreSQL from reading all rows of the tag into a hash table.
  const join = Prisma.sql`left join lateral (
    select true as yes from conversation_tags t where t.conversation_id = c.id and t.key = ${key}::text limit 1) tag on true`;
  return Prisma.sql`with tagged as materialized (
      select conversation_id as id from conversation_tags
      where workspace_id = ${filter.workspaceId}::uuid and key = ${key}::text limit ${TAGGED_MAX} + 1),
    few as materialized (select count(*) <= ${TAGGED_MAX} as yes from tagged),
    places as ((
      select c.id, c.updated_at, true as matches, false as is_last
      from tagged cross join lateral (select * from conversations where id = tagged.id limit 1) c
      where (select yes from few) and ${IS_LISTED} and ${statusOf(filter)} and ${lead} and ${isChecked}
        and ${inRange(filter, range)} ${first}
    ) union all (
      ${scanned({ join, yes: Prisma.sql`tag.yes`, isNeeded: Prisma.sql`not (select yes from few)` })} ${first}))`;
}

/**
 * Returns SQL for the next conversations along one index, in order. An index has the order within each status, so that each
 * status is a branch; that of contacts has it across statuses.
 */
function scan(
  filter: ConversationsFilter,
  { lead, range, rows }: { lead: Prisma.Sql; range: Range; rows: Prisma.Sql },
): Prisma.Sql {
  const branch = (isInBranch: Prisma.Sql) => Prisma.sql`(
    select c.* from conversations c
    where c.workspace_id = ${filter.workspaceId}::uuid and ${isInBranch} and ${lead} and ${IS_LISTED} and ${inRange(filter, range)}
    order by c.updated_at ${Prisma.raw(range.order)}, c.id ${Prisma.raw(range.order)} limit ${rows})`;
  if (filter.contactId !== undefined) return branch(Prisma.sql`true`);
  const statuses = filter.status ? [filter.status] : Object.values(ConversationStatus);
  const branches = statuses.map((status) => branch(Prisma.sql`c.status = ${status}::conversation_status`));
  return Prisma.sql`select * from (${Prisma.join(branches, ' union all ')}) b ${sorted(range.order)} limit ${rows}`;
}

/** Returns the condition that the scanned index answers, which is the most selective one, and the others. */
function conditionsOf(filter: ConversationsFilter): { lead: Prisma.Sql; checks: Prisma.Sql[] } {
  const { workspaceId, assigneeId, teamId, channel, contactId } = filter;
  const used = [
    contactId === undefined
      ? []
      : [Prisma.sql`c.contact_id = ${remainingId({ workspaceId, id: contactId })}`],
    typeof assigneeId === 'string' ? [Prisma.sql`c.assignee_id = ${assigneeId}::uuid`] : [],
    typeof teamId === 'string' ? [Prisma.sql`c.team_id = ${teamId}::uuid`] : [],
    channel === undefined ? [] : [Prisma.sql`c.channel = ${channel}::channel`],
  ].flat();
  const [lead = Prisma.sql`true`, ...checks] = used;
  if (assigneeId === null) checks.push(Prisma.sql`c.assignee_id is null`);
  if (teamId === null) checks.push(Prisma.sql`c.team_id is null`);
  if (contactId !== undefined && filter.status) checks.push(statusOf(filter));
  return { lead, checks };
}

function statusOf({ status }: ConversationsFilter): Prisma.Sql {
  return status ? Prisma.sql`c.status = ${status}::conversation_status` : Prisma.sql`true`;
}

function inRange({ updatedSince }: ConversationsFilter, { after, order }: Range): Prisma.Sql {
  const since = updatedSince ? Prisma.sql`c.updated_at >= ${updatedSince}::timestamptz` : Prisma.sql`true`;
  if (!after) return since;
  return Prisma.sql`${since} and (c.updated_at, c.id) ${Prisma.raw(order === 'asc' ? '>' : '<')}
    (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`;
}

function sorted(order: ChangeOrder, alias?: 'p'): Prisma.Sql {
  const of = alias === undefined ? '' : `${alias}.`;
  return Prisma.raw(`order by ${of}updated_at ${order}, ${of}id ${order}`);
}
