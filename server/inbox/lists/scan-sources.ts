import { Prisma } from '#server/generated/prisma/client.ts';
import { readFloor } from '#server/inbox/conversations/unread.ts';
import { type InboxFilter, limitOf } from '#server/inbox/lists/inbox-filter.ts';
import { hasAllIndexes, type Section } from '#server/inbox/lists/inbox-order.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** A part of the list. `lead`: the condition of the index by which it is scanned. */
type Source = { from: Prisma.Sql; where: Prisma.Sql; lead: Prisma.Sql };

const CONVERSATIONS = Prisma.sql`conversations`;

/** Returns the parts of the list that a scan of a filter reads. They do not overlap. */
export function sourcesOf(filter: InboxFilter, section: Section): Source[] {
  const lead = leadOf(filter, section);
  const limit = limitOf(filter);
  if (limit && isScannedByOwn(filter, section)) return ownConversations(limit);
  return filter.unreadBy === undefined || !hasAllIndexes(section)
    ? [{ from: CONVERSATIONS, where: Prisma.sql`true`, lead }]
    : possiblyUnread(filter, filter.unreadBy).map((source) => ({ ...source, lead }));
}

/** Maximum number of teams by whose indexes a list is scanned. With more teams each conversation is checked. */
const TEAMS_MAX = 8;

/**
 * Returns whether a list is scanned by the indexes of the teammate and their teams. A teammate who sees only these finds them
 * immediately, however many conversations others have.
 */
export function isScannedByOwn(filter: InboxFilter, section: Section): boolean {
  const limit = limitOf(filter);
  if (!limit?.onlyAssigned) return false;
  return limit.teamIds.length <= TEAMS_MAX && hasAllIndexes(section);
}

/** Returns the conversations of the teammate, and those of each of their teams. */
function ownConversations({ userId, teamIds }: Visibility): Source[] {
  return [
    { from: CONVERSATIONS, where: Prisma.sql`true`, lead: Prisma.sql`c.assignee_id = ${userId}::uuid` },
    ...teamIds.map((id) => ({
      from: CONVERSATIONS,
      where: Prisma.sql`c.assignee_id is distinct from ${userId}::uuid`,
      lead: Prisma.sql`c.team_id = ${id}::uuid`,
    })),
  ];
}

/**
 * Returns the parts of the list that can contain unread conversations: the range above the read floor, and the older
 * conversations that the teammate marked as unread.
 */
function possiblyUnread({ workspaceId }: InboxFilter, userId: string): Omit<Source, 'lead'>[] {
  const reader = { workspaceId, userId };
  const floor = readFloor(reader);
  const marked = Prisma.sql`conversation_reads r cross join lateral (
    select * from conversations where workspace_id = r.workspace_id and id = r.conversation_id limit 1)`;
  return [
    { from: CONVERSATIONS, where: Prisma.sql`c.last_message_at > ${floor}` },
    {
      from: marked,
      where: Prisma.sql`r.workspace_id = ${workspaceId}::uuid and r.user_id = ${userId}::uuid and r.read_until is null
        and c.last_message_at <= ${floor}`,
    },
  ];
}

/** Returns the condition that the scanned index answers: the most selective one of the filter. */
function leadOf(
  { hasFailedReply, isScheduled, isSnoozed, isVerified, assigneeId, teamId, channel }: InboxFilter,
  section: Section,
): Prisma.Sql {
  const isIndexed = hasAllIndexes(section);
  if (hasFailedReply && isIndexed) return Prisma.sql`c.has_failed_reply`;
  if (isScheduled && isIndexed) return Prisma.sql`c.send_later_at is not null`;
  if (isSnoozed && isIndexed) return Prisma.sql`c.snoozed_until is not null`;
  if (isVerified === false && isIndexed) return Prisma.sql`c.contact_claimed`;
  if (assigneeId) return Prisma.sql`c.assignee_id = ${assigneeId}::uuid`;
  if (teamId !== undefined) return Prisma.sql`c.team_id = ${teamId}::uuid`;
  if (assigneeId === null) return Prisma.sql`c.assignee_id is null`;
  if (channel !== undefined && isIndexed) return Prisma.sql`c.channel = ${channel}::channel`;
  return Prisma.sql`true`;
}
