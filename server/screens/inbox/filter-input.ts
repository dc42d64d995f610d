import { z } from 'zod';
import { searchInput, textInput } from '#server/contract/text-input.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { Channel, ConversationStatus, Priority } from '#server/generated/prisma/enums.ts';
import { CONDITIONS_LENGTH_MAX, parseFieldConditions } from '#server/inbox/lists/field-conditions.ts';
import { AGES, SLA_STATES } from '#server/inbox/lists/filter-values.ts';
import type { InboxFilter } from '#server/inbox/lists/inbox-filter.ts';
import { INBOX_ORDERS } from '#server/inbox/lists/inbox-order.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Filters of the inbox as the screens send and store them. */
export const filterInput = z.object({
  status: z.enum(ConversationStatus).optional(),
  /** `me`, `unassigned`, or a teammate's id. */
  assignee: z.union([z.enum(['me', 'unassigned']), z.guid()]).optional(),
  teamId: z.guid().optional(),
  channel: z.enum(Channel).optional(),
  priority: z.enum(Priority).optional(),
  sla: z.enum(SLA_STATES).optional(),
  /** `no`: only conversations that are marked as “not verified”. */
  verified: z.enum(['yes', 'no']).optional(),
  /** Age of the last message. */
  active: z.enum(AGES).optional(),
  created: z.enum(AGES).optional(),
  /** `failed`: only conversations with a reply that was not sent. `scheduled`: with one that is sent later. */
  reply: z.enum(['failed', 'scheduled']).optional(),
  /** `yes`: only snoozed conversations. */
  snoozed: z.literal('yes').optional(),
  /** `yes`: only conversations that are unread for the teammate. */
  unread: z.literal('yes').optional(),
  tag: searchInput.trim().min(1).optional(),
  /** Conditions on custom fields, as `writeFieldConditions` writes them. Invalid ones are ignored. */
  fields: textInput(CONDITIONS_LENGTH_MAX, 'filter').optional(),
  search: searchInput.optional(),
});

/** Filters and an order. */
export const orderedInput = filterInput.extend({ order: z.enum(INBOX_ORDERS).optional() });

export type OrderedInput = z.infer<typeof orderedInput>;

/** The teammate who filters, what they see, and the search language of the workspace. */
export type FilterReader = {
  workspaceId: string;
  userId: string;
  visibility: Visibility | null;
  language: SearchLanguage;
};

/** Converts a screen's filter for the signed-in teammate. */
export function filterOf(
  { assignee, verified, reply, unread, snoozed, search, fields, ...same }: z.infer<typeof filterInput>,
  { workspaceId, userId, visibility, language }: FilterReader,
): InboxFilter {
  const conditions = parseFieldConditions(fields ?? '');
  const assigneeId = assignee === 'me' ? userId : assignee === 'unassigned' ? null : assignee;
  return {
    ...same,
    workspaceId,
    ...(visibility ? { visibility } : {}),
    assigneeId,
    isVerified: verified === undefined ? undefined : verified === 'yes',
    hasFailedReply: reply === 'failed' ? true : undefined,
    isScheduled: reply === 'scheduled' ? true : undefined,
    isSnoozed: snoozed === 'yes' ? true : undefined,
    ...(conditions.length > 0 ? { fields: conditions } : {}),
    unreadBy: unread === undefined ? undefined : userId,
    ...(search === undefined || search.trim() === '' ? {} : { search, language }),
  };
}
