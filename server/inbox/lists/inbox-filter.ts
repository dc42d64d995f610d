import type { SearchLanguage } from '#server/core/search-languages.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel, ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import type { FieldCondition } from '#server/inbox/lists/field-conditions.ts';
import { matchesField } from '#server/inbox/lists/field-sql.ts';
import { type Age, DUE_SOON_MINUTES, type SlaState } from '#server/inbox/lists/filter-values.ts';
import type { Section } from '#server/inbox/lists/inbox-order.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Filter of the inbox. Merged, spam and deleted conversations and tests of the AI agent are always excluded. */
export type InboxFilter = {
  workspaceId: string;
  status?: ConversationStatus | undefined;
  /** A teammate's id, or null for unassigned conversations. */
  assigneeId?: string | null | undefined;
  teamId?: string | undefined;
  channel?: Channel | undefined;
  priority?: Priority | undefined;
  /** State of the next running SLA clock. */
  sla?: SlaState | undefined;
  /** False: only conversations that are marked as “not verified”. True: all others. */
  isVerified?: boolean | undefined;
  /** Age of the last message. */
  active?: Age | undefined;
  created?: Age | undefined;
  /** Only conversations whose last reply did not reach the contact. */
  hasFailedReply?: true | undefined;
  /** Only conversations with a reply that is sent later. */
  isScheduled?: true | undefined;
  /** Only snoozed conversations. */
  isSnoozed?: true | undefined;
  /** Only conversations that are unread for this teammate. */
  unreadBy?: string | undefined;
  /** Case-insensitive. */
  tag?: string | undefined;
  /** Conditions on custom fields of the conversation and its contact. All must hold. */
  fields?: FieldCondition[] | undefined;
  /** Words in the contact's name, email (also a claimed one) or phone, in the subject, in one message, or in one note. */
  search?: string | undefined;
  /** Language whose stems the search also finds. */
  language?: SearchLanguage | undefined;
  /** Only conversations that a teammate with this limited view sees. */
  visibility?: Visibility | null | undefined;
};

/** Returns the limited view that a filter has to check. Null also when it only matches the teammate's own conversations. */
export function limitOf({ visibility, assigneeId, teamId }: InboxFilter): Visibility | null {
  if (!visibility || assigneeId === visibility.userId) return null;
  return teamId !== undefined && visibility.teamIds.includes(teamId) ? null : visibility;
}

export function statusesOf({ status }: InboxFilter): ConversationStatus[] {
  return status ? [status] : ['open', 'pending', 'solved', 'closed'];
}

/** Returns the conditions on a conversation's columns, except its status. */
export function sameColumns(alias: 'w' | 'c', filter: InboxFilter): Prisma.Sql {
  const c = Prisma.raw(alias);
  const { assigneeId, teamId, channel, priority, sla, isVerified, active, created } = filter;
  const where = [isVisible(limitOf(filter), alias)];
  if (filter.hasFailedReply) where.push(Prisma.sql`${c}.has_failed_reply`);
  if (filter.isScheduled) where.push(Prisma.sql`${c}.send_later_at is not null`);
  if (filter.isSnoozed) where.push(Prisma.sql`${c}.snoozed_until is not null`);
  if (assigneeId !== undefined)
    where.push(Prisma.sql`${c}.assignee_id is not distinct from ${assigneeId}::uuid`);
  if (teamId !== undefined) where.push(Prisma.sql`${c}.team_id = ${teamId}::uuid`);
  if (channel !== undefined) where.push(Prisma.sql`${c}.channel = ${channel}::channel`);
  if (priority !== undefined) where.push(Prisma.sql`${c}.priority = ${priority}::priority`);
  if (sla !== undefined) where.push(isDue(c, sla));
  if (active !== undefined) where.push(hasAge(Prisma.sql`${c}.last_message_at`, active));
  if (created !== undefined) where.push(hasAge(Prisma.sql`${c}.created_at`, created));
  for (const condition of filter.fields ?? [])
    where.push(matchesField(alias, { workspaceId: filter.workspaceId, condition }));
  if (isVerified !== undefined) {
    // A subquery in an expression is run per row. A join could read all contacts of the workspace.
    const isClaimed = Prisma.sql`(${c}.contact_claimed and (select k.email from contacts k
      where k.workspace_id = ${filter.workspaceId}::uuid and k.id = ${c}.contact_id) is null)`;
    where.push(isVerified ? Prisma.sql`not ${isClaimed}` : isClaimed);
  }
  return Prisma.join(where, ' and ');
}

/** Returns the filter's bounds of the column by which a section is sorted. They limit the range of its index. */
export function sortRange({ active, sla }: InboxFilter, { column }: Section): Prisma.Sql {
  if (column === 'last_message_at' && active) return hasAge(Prisma.sql`c.last_message_at`, active);
  if (column === 'next_due_at' && sla) return isDue(Prisma.sql`c`, sla);
  return Prisma.sql`true`;
}

function isDue(c: Prisma.Sql, sla: SlaState): Prisma.Sql {
  if (sla === 'overdue') return Prisma.sql`${c}.next_due_at <= now()`;
  return Prisma.sql`(${c}.next_due_at > now()
    and ${c}.next_due_at <= now() + make_interval(mins => ${DUE_SOON_MINUTES}::int))`;
}

/** Returns the condition that a timestamp is within the last days, or before them. */
export function hasAge(column: Prisma.Sql, age: Age): Prisma.Sql {
  const days = Number.parseInt(age.replace('over-', ''), 10);
  const comparison = Prisma.raw(isOver(age) ? '<=' : '>');
  return Prisma.sql`${column} ${comparison} now() - make_interval(days => ${days}::int)`;
}

/** Returns whether an age is before some days. */
export function isOver(age: Age): boolean {
  return age.startsWith('over-');
}
