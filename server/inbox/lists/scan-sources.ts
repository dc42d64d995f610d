import { Prisma } from '#server/generated/prisma/client.ts';
import { readFloor } from '#server/inbox/conversations/unread.ts';
import { type InboxFilter, limitOf } from '#server/inbox/lists/inbox-filter.ts';
import { hasAllIndexes, type Section } from '#server/inbox/lists/inbox-order.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** A part of the list. `lead`: the condition of the index by which it is scanned. */
type Source = { from: Prisma.Sql; where: Prisma.Sql; lead: Prisma.Sql };

const EVERYTHING = { from: Prisma.sql`conversations`, where: Prisma.sql`true` };

/** Returns the parts of the list that a scan of a filter reads. They do not overlap. */
export function sourcesOf(filter: InboxFilter, section: Section): Source[] {
  const limit = limitOf(filter);
  const parts =
    limit && isScannedByOwn(filter, section)
      ? ownConversations(limit, filter)
      : [{ ...EVERYTHING, lead: leadOf(filter, section) }];
  if (filter.unreadBy === undefined || !hasAllIndexes(section)) return parts;
  const { above, marked } = possiblyUnread(filter, filter.unreadBy);
  return [
    ...parts.map((part) => ({ ...part, where: Prisma.sql`${part.where} and ${above}` })),
    { ...marked, lead: limit ? Prisma.sql`true` : leadOf(filter, section) },
  ];
}

/** Maximum number of teams by whose indexes a list is scanned. With more teams each conversation is checked. */
const TEAMS_MAX = 8;

/**
 * Returns whether a list is scanned by the indexes of the teammate and their teams. A teammate who sees only these finds them
 * immediately, however many conversations others have. A filter with a small index of its own is scanned by that one.
 */
export function isScannedByOwn(filter: InboxFilter, section: Section): boolean {
  const limit = limitOf(filter);
  const { hasFailedReply, isScheduled, isSnoozed, isVerified } = filter;
  if (!limit?.onlyAssigned || hasFailedReply || isScheduled || isSnoozed || isVerified === false)
    return false;
  return limit.teamIds.length <= TEAMS_MAX && hasAllIndexes(section);
}

/**
 * Returns the part of a filter that its scan leaves to check: without the age, which limits the range of the index, and without a
 * limited view that is scanned by its own conversations. Conversations that are marked as unread are scanned by that mark.
 */
export function uncheckedOf(filter: InboxFilter, section: Section): InboxFilter {
  const { active, visibility, unreadBy } = filter;
  const isOwn = unreadBy === undefined && isScannedByOwn(filter, section);
  return {
    ...filter,
    active: section.column === 'last_message_at' ? undefined : active,
    visibility: isOwn ? null : visibility,
  };
}

/** Returns the conversations of the teammate, and those of each of their teams, unless the filter excludes all of a part. */
function ownConversations({ userId, teamIds }: Visibility, { assigneeId, teamId }: InboxFilter): Source[] {
  const assigned = { ...EVERYTHING, lead: Prisma.sql`c.assignee_id = ${userId}::uuid` };
  const ofTeams = teamIds.map((id) => ({
    ...EVERYTHING,
    where: Prisma.sql`c.assignee_id is distinct from ${userId}::uuid`,
    lead: Prisma.sql`c.team_id = ${id}::uuid`,
  }));
  // A filter of the teammate or of one of their teams has no limit.
  if (assigneeId !== undefined && ofTeams.length > 0) return ofTeams;
  return teamId === undefined ? [assigned, ...ofTeams] : [assigned];
}

/**
 * Returns the parts of the list that can contain unread conversations: the range above the read floor, and the older
 * conversations that the teammate marked as unread.
 */
function possiblyUnread({ workspaceId }: InboxFilter, userId: string) {
  const reader = { workspaceId, userId };
  const floor = readFloor(reader);
  const from = Prisma.sql`conversation_reads r cross join lateral (
    select * from conversations where workspace_id = r.workspace_id and id = r.conversation_id limit 1)`;
  const where = Prisma.sql`r.workspace_id = ${workspaceId}::uuid and r.user_id = ${userId}::uuid and r.read_until is null
    and c.last_message_at <= ${floor}`;
  return { above: Prisma.sql`c.last_message_at > ${floor}`, marked: { from, where } };
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
