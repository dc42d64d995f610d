import { tagKey } from '#server/contract/tag-key.ts';
import type { LogCursor } from '#server/core/cursor.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isUnread, readOf } from '#server/inbox/conversations/unread.ts';
import { gatheredByField, leadingField } from '#server/inbox/lists/field-sql.ts';
import {
  hasAge,
  type InboxFilter,
  isOver,
  limitOf,
  sameColumns,
  sortRange,
  statusesOf,
} from '#server/inbox/lists/inbox-filter.ts';
import {
  hasAllIndexes,
  inSection,
  isAfter,
  isMixed,
  NEWEST,
  NEXT_DUE,
  orderBy,
  type Section,
  WAITING_STATUSES,
} from '#server/inbox/lists/inbox-order.ts';
import { isScannedByOwn, sourcesOf, uncheckedOf } from '#server/inbox/lists/scan-sources.ts';
import { mergedOwner, searchQuery } from '#server/inbox/lists/search-query.ts';

// The SQL of the inbox. Every statement is bounded, however large the workspace is. `listInbox` fills a page from one section of
// the list after the other, and each section in one of three ways:
//
//   order       sections, each sorted by one column (inbox-order.ts)
//   newest      last_message_at, down
//   priority    urgent, high, normal, low: each by last_message_at, down
//   waiting     waiting_since, up; then the others by last_message_at, down
//
//   a filter of a section
//   ├─ isScanOnly: one index has exactly its rows                 scan(rows + 1)
//   ├─ no index has few of its rows (such as unread by someone)   scan(window) ─ narrowed
//   └─ canBeRare: by tag, words, field, due time, creation            scan(1,000) ─ narrowed ─ the page is full: done
//                                                                 └─ else gathered(5,000) ─ fromGathered ─ sorted
//                                                                    └─ more than 5,000: scan(window) ─ narrowed
//
//   scan          the next conversations along the index of the most selective column (lead), a branch for each status
//   narrowed      checks the whole filter on each scanned row, by lateral joins
//   gathered      the ids that the index of the words, tag, field, due time or creation has, unordered; fromGathered checks them
//
// Words, also of merged conversations, are looked up in four tables (docs/decisions/0021-words-of-each-message.md).

/** Maximum number of rows that are collected by another index. More rows are found by a scan. */
const GATHER_MAX = 5_000;

/**
 * Returns SQL for the first conversations of a filter along one index, up to `rows`. One status is one range of the index.
 * Each status is limited separately, so that every plan is bounded. A section that leaves out conversations still scans them,
 * and `narrowed` removes them. Columns: id, sort_key, and the columns that `narrowed` reads.
 * @param status SQL of the only status, instead of a branch for each status of the filter
 * @param isFixed writes `rows` into the text of the statement. Otherwise PostgreSQL expects a prepared plan to read more than one for a
 *   known number, and plans each time
 */
export function scan(
  filter: InboxFilter,
  {
    section = NEWEST,
    after,
    rows,
    skip = 0,
    isFixed = false,
    status: onlyStatus,
  }: ScanOptions & { skip?: number; isFixed?: boolean; status?: Prisma.Sql | undefined },
): Prisma.Sql {
  const { column, direction } = section;
  const up = (to: number) => (isFixed ? Prisma.raw(`limit ${Math.trunc(to)}`) : Prisma.sql`limit ${to}::int`);
  const key = Prisma.raw(`c.${column}`);
  const order = Prisma.sql`order by ${key} ${Prisma.raw(direction)}, c.id ${Prisma.raw(direction)} ${up(rows + skip)}`;
  const sources = sourcesOf(filter, section);
  const more = limitOf(filter) ? Prisma.sql`, c.mailbox_id, c.channel_account_id` : Prisma.empty;
  const indexed = hasAllIndexes(section) ? Prisma.sql`true` : inSection('c', section);
  const statuses = onlyStatus
    ? [onlyStatus]
    : statusesOf(filter)
        .filter((status) => column !== 'waiting_since' || WAITING_STATUSES.includes(status))
        .map((status) => Prisma.sql`${status}::conversation_status`);
  const branches = statuses.flatMap((status) =>
    sources.map(
      ({ from, where, lead }) => Prisma.sql`(
    select c.id, ${key} as sort_key, c.status, c.waiting_since, c.next_due_at, c.last_inbound_at, c.contact_id,
      c.assignee_id, c.team_id, c.channel, c.has_failed_reply, c.send_later_at, c.snoozed_until, c.search, c.priority, c.contact_claimed,
      c.last_message_at, c.created_at${more}
    from ${from} c
    where c.workspace_id = ${filter.workspaceId}::uuid and c.status = ${status} and ${where}
      and ${lead} and ${sortRange(filter, section)} and ${indexed} and c.merged_into_id is null and not c.is_test and c.removal is null
      and ${isAfter(after, section)} ${order})`,
    ),
  );
  return Prisma.sql`select * from (${Prisma.join(branches, ' union all ')}) b ${orderBy(section)}
    ${up(rows)} ${skip === 0 ? Prisma.empty : Prisma.sql`offset ${skip}::int`}`;
}

/** `section`: the newest conversations by default. `after`: the last row before. */
export type ScanOptions = { section?: Section; after?: LogCursor | null; rows: number };

/** Returns whether an index scan alone answers the filter, so that every scanned row matches. */
export function isScanOnly(filter: InboxFilter, section = NEWEST): boolean {
  const { hasFailedReply, isScheduled, isSnoozed, assigneeId, teamId, channel, active, sla } = filter;
  const { unreadBy, tag, search, priority, isVerified, created, fields } = filter;
  const isUsed = (value: unknown) => value !== undefined;
  const ofColumn = [hasFailedReply, isScheduled, isSnoozed, channel].filter(isUsed);
  const used = [...ofColumn, ...[assigneeId, teamId].filter(isUsed)];
  const isIndexed = !isMixed(section) && (hasAllIndexes(section) || ofColumn.length === 0);
  const outOfRange = [
    section.column === 'last_message_at' ? undefined : active,
    section === NEXT_DUE ? undefined : sla,
  ];
  const others = [unreadBy, tag, search, priority, isVerified, created, fields, ...outOfRange];
  // A limited view is scanned by its assignee and teams, or else each conversation is checked.
  if (limitOf(filter) && (used.length > 0 || !isScannedByOwn(filter, section))) return false;
  return isIndexed && used.length <= 1 && !others.some(isUsed);
}

/**
 * Narrows scanned rows `w` to the complete filter and section. Lateral joins force nested loops, so that the statement
 * ends at its limit. `offset 0` makes the planner check the messages of one conversation instead of searching
 * the message index of the whole workspace for each row.
 * @param isUncommon finds the messages and notes of a search by their indexes first, unless there are too many
 */
export function narrowed(
  filter: InboxFilter,
  { section = NEWEST, isUncommon = false }: { section?: Section; isUncommon?: boolean } = {},
): { ctes: Prisma.Sql; joins: Prisma.Sql; where: Prisma.Sql } {
  const { tag } = filter;
  const unread = narrowedToUnread('w', filter);
  const joins = [unread.join];
  const where = [sameColumns('w', uncheckedOf(filter, section)), inSection('w', section), unread.where];
  if (tag !== undefined) {
    joins.push(Prisma.sql`left join lateral (select true as yes from conversation_tags t
      where t.conversation_id = w.id and t.key = ${tagKey(tag)} limit 1) tagged on true`);
    where.push(Prisma.sql`tagged.yes`);
  }
  const query = searchQuery(filter);
  const search = query && narrowedToSearch(filter, query, isUncommon);
  if (search) {
    joins.push(search.joins);
    where.push(search.where);
  }
  return {
    ctes: search?.ctes ?? Prisma.empty,
    joins: Prisma.join([Prisma.sql``, ...joins], ' '),
    where: Prisma.join(where, ' and '),
  };
}

/** Maximum number of messages, and of notes, that are found by their index during a scan. */
const LISTED_MAX = 1_000;

function narrowedToSearch(filter: InboxFilter, query: Prisma.Sql, isUncommon: boolean) {
  const { workspaceId } = filter;
  const owner = mergedOwner(filter);
  const isOwner = owner ? Prisma.sql`or p.id = ${owner}` : Prisma.empty;
  const listed = (table: 'messages' | 'notes') => Prisma.sql`listed_${Prisma.raw(table)} as materialized (
    select conversation_id as id from ${Prisma.raw(table)} where search @@ ${query} limit ${LISTED_MAX + 1}::int)`;
  const isChecked = (table: 'messages' | 'notes') =>
    isUncommon
      ? Prisma.sql`(select count(*) from listed_${Prisma.raw(table)}) > ${LISTED_MAX}::int`
      : Prisma.sql`true`;
  const inMerged = (table: 'messages' | 'notes') => Prisma.sql`(
    ${isUncommon ? Prisma.sql`x.id in (select id from listed_${Prisma.raw(table)}) or` : Prisma.empty}
    ${isChecked(table)} and exists (
      select from (select search from ${Prisma.raw(table)} where conversation_id = x.id offset 0) m where m.search @@ ${query}))`;
  const joins = Prisma.sql`left join lateral (select true as yes from contacts p
      where p.workspace_id = ${workspaceId}::uuid and p.id = w.contact_id and (p.search @@ ${query} ${isOwner}) limit 1) by_contact on true
    left join lateral (select true as yes from (
        select m.search from messages m
        where by_contact.yes is null and (w.search @@ ${query}) is not true and ${isChecked('messages')}
          and m.conversation_id = w.id offset 0) m
      where m.search @@ ${query} limit 1) by_message on true
    left join lateral (select true as yes from (
        select n.search from notes n
        where by_contact.yes is null and by_message.yes is null and (w.search @@ ${query}) is not true
          and ${isChecked('notes')} and n.conversation_id = w.id offset 0) n
      where n.search @@ ${query} limit 1) by_note on true
    left join lateral (select true as yes from conversations x
      where by_contact.yes is null and by_message.yes is null and by_note.yes is null and (w.search @@ ${query}) is not true
        and x.workspace_id = ${workspaceId}::uuid and x.merged_into_id = w.id and (x.search @@ ${query}
          or exists (select from contacts p
            where p.workspace_id = ${workspaceId}::uuid and p.id = x.contact_id and (p.search @@ ${query} ${isOwner}))
          or ${inMerged('messages')} or ${inMerged('notes')})
      limit 1) by_merged on true`;
  const found = [
    Prisma.sql`w.search @@ ${query} or by_contact.yes or by_message.yes or by_note.yes or by_merged.yes`,
  ];
  if (isUncommon) {
    found.push(Prisma.sql`w.id in (select id from listed_messages) or w.id in (select id from listed_notes)`);
  }
  return {
    ctes: isUncommon ? Prisma.sql`with ${listed('messages')}, ${listed('notes')}` : Prisma.empty,
    joins,
    where: Prisma.sql`(${Prisma.join(found, ' or ')})`,
  };
}

function narrowedToUnread(
  alias: 'w' | 'c',
  { workspaceId, unreadBy }: InboxFilter,
): { join: Prisma.Sql; where: Prisma.Sql } {
  if (unreadBy === undefined) return { join: Prisma.empty, where: Prisma.sql`true` };
  const reader = { workspaceId, userId: unreadBy };
  return {
    join: Prisma.sql`left join lateral ${readOf(reader, alias)} own_read on true`,
    where: isUnread(reader, alias, 'own_read'),
  };
}

/** Returns whether a filter can match few conversations, for which `gathered` has an index. */
export function canBeRare({ tag, search, sla, created, fields }: InboxFilter): boolean {
  const isRecent = created !== undefined && !isOver(created);
  const isByField = leadingField(fields) !== undefined;
  return tag !== undefined || search !== undefined || sla !== undefined || isRecent || isByField;
}

/**
 * Returns CTEs of the conversations of a filter that `canBeRare`, by the index of its words, tag, custom field, SLA state or creation,
 * unordered: `found` (id) and `lookup` (whether `found` is complete).
 * @param max maximum number of conversations, of a filter without a search
 */
export function gathered(filter: InboxFilter, max = GATHER_MAX): Prisma.Sql {
  const { workspaceId } = filter;
  const most = Prisma.sql`limit ${max + 1}::int`;
  const query = searchQuery(filter);
  const byField = filter.tag === undefined ? leadingField(filter.fields) : undefined;
  if (!query && byField) return gatheredByField({ workspaceId, condition: byField }, max);
  if (!query) {
    return Prisma.sql`with found as materialized (${gatheredByColumn(filter, most)}),
      lookup as materialized (select count(*) <= ${max} as complete from found)`;
  }
  const owner = mergedOwner(filter);
  const merged = owner ? Prisma.sql`union all select ${owner}` : Prisma.empty;
  return Prisma.sql`with matching_contacts as materialized ((select id from contacts where search @@ ${query} ${most}) ${merged}),
    by_message as materialized (
      select conversation_id as id from messages where search @@ ${query} and ${fewIn('matching_contacts')} ${most}),
    by_note as materialized (
      select conversation_id as id from notes
      where search @@ ${query} and ${fewIn('matching_contacts')} and ${fewIn('by_message')} ${most}),
    by_subject as materialized (
      select id from conversations where search @@ ${query} and ${fewIn('matching_contacts')} and ${fewIn('by_message')} ${most}),
    by_contact as materialized (
      select c.id from matching_contacts p cross join lateral (
        select id from conversations where workspace_id = ${workspaceId}::uuid and contact_id = p.id ${most}) c
      where ${fewIn('matching_contacts')} and ${fewIn('by_message')} ${most}),
    found as materialized (
      select distinct coalesce(x.merged_into_id, f.id) as id
      from (select id from by_message union select id from by_note union select id from by_subject union select id from by_contact) f
      left join lateral (select merged_into_id from conversations where id = f.id limit 1) x on true),
    lookup as materialized (select greatest(
      (select count(*) from matching_contacts), (select count(*) from by_message),
      (select count(*) from by_note), (select count(*) from by_subject), (select count(*) from by_contact)) <= ${GATHER_MAX} as complete)`;
}

function gatheredByColumn(filter: InboxFilter, most: Prisma.Sql): Prisma.Sql {
  const { workspaceId, tag, sla, created = '1d' } = filter;
  if (tag !== undefined) {
    return Prisma.sql`select conversation_id as id from conversation_tags
      where workspace_id = ${workspaceId}::uuid and key = ${tagKey(tag)} ${most}`;
  }
  if (sla !== undefined) {
    return Prisma.sql`select id from (${scan(filter, { section: NEXT_DUE, rows: GATHER_MAX + 1 })}) w ${most}`;
  }
  return Prisma.sql`select id from conversations c
    where workspace_id = ${workspaceId}::uuid and ${hasAge(Prisma.sql`created_at`, created)}
      and merged_into_id is null and not is_test and removal is null
    order by created_at desc, id desc ${most}`;
}

/** Condition that an earlier part is complete. If it is not, further lookups are useless. */
function fewIn(part: 'matching_contacts' | 'by_message'): Prisma.Sql {
  return Prisma.sql`(select count(*) from ${Prisma.raw(part)}) <= ${GATHER_MAX}`;
}

/**
 * Returns SQL for the collected conversations `c` that match the complete filter, unless there are too many.
 * Lateral joins force nested loops.
 */
export function fromGathered(
  filter: InboxFilter,
  { section, after }: { section: Section; after: LogCursor | null } = { section: NEWEST, after: null },
): Prisma.Sql {
  const { workspaceId, tag, search } = filter;
  const tagged =
    tag === undefined || search === undefined
      ? Prisma.sql``
      : Prisma.sql`cross join lateral (
          select 1 from conversation_tags t where t.conversation_id = c.id and t.key = ${tagKey(tag)} limit 1) tagged`;
  const unread = narrowedToUnread('c', filter);
  return Prisma.sql`from found
    cross join lateral (select * from conversations where id = found.id limit 1) c ${tagged} ${unread.join}
    where (select complete from lookup)
      and c.workspace_id = ${workspaceId}::uuid and c.merged_into_id is null and not c.is_test and c.removal is null
      and c.status = any(${statusesOf(filter)}::conversation_status[])
      and ${sameColumns('c', filter)} and ${inSection('c', section)} and ${unread.where} and ${isAfter(after, section)}`;
}
