import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import type { SlaState } from '#server/inbox/lists/filter-values.ts';

/**
 * `priority`: urgent first, newest first within a priority. `waiting`: by the time since which the contact waits for a reply.
 * `due`: by the due time of the running SLA clock. In the last two, the conversations without that time follow, newest first.
 */
export const INBOX_ORDERS = ['newest', 'oldest', 'priority', 'waiting', 'due'] as const;

export type InboxOrder = (typeof INBOX_ORDERS)[number];

/** A section of the list, sorted by one column. */
export type Section = {
  column: 'last_message_at' | 'waiting_since' | 'next_due_at';
  direction: 'asc' | 'desc';
  /** Only conversations of this priority. `normal` has no index: most conversations have it. */
  priority?: Priority;
  /** Only conversations without this time: those of the previous section are left out. */
  without?: 'waiting_since' | 'next_due_at';
};

export const NEWEST: Section = { column: 'last_message_at', direction: 'desc' };

/** The conversations with a running SLA clock. */
export const NEXT_DUE: Section = { column: 'next_due_at', direction: 'asc' };

const SECTIONS: Record<InboxOrder, Section[]> = {
  newest: [NEWEST],
  oldest: [{ column: 'last_message_at', direction: 'asc' }],
  priority: (['urgent', 'high', 'normal', 'low'] as const).map((priority) => ({ ...NEWEST, priority })),
  waiting: [
    { column: 'waiting_since', direction: 'asc' },
    { ...NEWEST, without: 'waiting_since' },
  ],
  due: [NEXT_DUE, { ...NEWEST, without: 'next_due_at' }],
};

/** Returns the sections of a list that can match a filter. */
export function sectionsOf(
  order: InboxOrder,
  {
    status,
    sla,
    priority,
  }: {
    status?: ConversationStatus | undefined;
    sla?: SlaState | undefined;
    priority?: Priority | undefined;
  },
): Section[] {
  const canWait = status === undefined || WAITING_STATUSES.includes(status);
  if (order === 'due' && sla) return [NEXT_DUE];
  if (order === 'priority' && priority) return [{ ...NEWEST, priority }];
  return order === 'waiting' && !canWait ? [NEWEST] : SECTIONS[order];
}

/** Returns a section that contains all conversations of a filter. */
export function sectionToCount({ sla }: { sla?: SlaState | undefined }): Section {
  return sla === undefined ? NEWEST : NEXT_DUE;
}

/** Statuses in which a contact can wait for a reply. */
export const WAITING_STATUSES: ConversationStatus[] = ['open', 'pending'];

/** Returns whether the section has an index for every column of the filter. Others have those of team and assignee. */
export function hasAllIndexes({ column, priority = 'normal' }: Section): boolean {
  return column === 'last_message_at' && priority === 'normal';
}

/** Returns whether conversations of other sections are between those of the section. */
export function isMixed({ without, priority }: Section): boolean {
  return without !== undefined || priority === 'normal';
}

/** Returns the condition that `alias` belongs to the section, worded like the condition of the partial indexes. */
export function inSection(alias: 'c' | 'w', { column, priority, without }: Section): Prisma.Sql {
  const of = Prisma.raw(alias);
  if (priority !== undefined) return Prisma.sql`${of}.priority = ${Prisma.raw(`'${priority}'`)}::priority`;
  if (without === 'waiting_since') {
    return Prisma.sql`(${of}.waiting_since is null or ${of}.status not in ('open', 'pending'))`;
  }
  if (without === 'next_due_at') return Prisma.sql`${of}.next_due_at is null`;
  if (column === 'waiting_since') {
    return Prisma.sql`${of}.waiting_since is not null and ${of}.status in ('open', 'pending')`;
  }
  return column === 'next_due_at' ? Prisma.sql`${of}.next_due_at is not null` : Prisma.sql`true`;
}

/** Returns the condition that the row `c` is after a position of its section. */
export function isAfter(after: LogCursor | null | undefined, { column, direction }: Section): Prisma.Sql {
  if (!after) return Prisma.sql`true`;
  return Prisma.sql`(c.${Prisma.raw(column)}, c.id) ${Prisma.raw(direction === 'asc' ? '>' : '<')}
    (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`;
}

/** Returns `order by …` for rows with `sort_key` and `id`. */
export function orderBy({ direction }: Section, alias?: 'w' | 'page'): Prisma.Sql {
  const of = alias === undefined ? '' : `${alias}.`;
  return Prisma.raw(`order by ${of}sort_key ${direction}, ${of}id ${direction}`);
}

/** Position of a row in µs since the epoch, as text: too large for a JavaScript number. */
export const MICROS = Prisma.sql`((extract(epoch from sort_key) * 1000000)::bigint)::text`;

/** A position in a list: the number of its section, and the last row before it; null at the start of the section. */
export type ListPosition = { section: number; after: LogCursor | null };

/** Formats a position for a URL. */
export function writePosition({ section, after }: ListPosition): string {
  const row = after ? writeCursor(after) : '';
  return section === 0 ? row : `${section}:${row}`;
}

/** Parses a position. An invalid one is the start of the list. */
export function parsePosition(text: string | undefined, sections: number): ListPosition {
  const [, section = '0', row] = /^(?:(\d):)?(.*)$/.exec(text ?? '') ?? [];
  return Number(section) < sections
    ? { section: Number(section), after: parseCursor(row) }
    : { section: 0, after: null };
}
