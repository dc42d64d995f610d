import { firstValue } from '#app/lib/first-value.ts';
import type { ConversationStatus } from '#server/conversations/views.ts';

/** What the inbox can be narrowed to, in the order of its tabs. */
export const inboxStatuses = ['open', 'pending', 'solved', 'closed', 'all'] as const;

export type InboxStatus = ConversationStatus | 'all';

/** Which conversations are listed and which one is open. */
export type InboxView = { status: InboxStatus; selected: string | undefined };

/** The inbox's query string, read; an unknown status shows the open conversations. */
export function readInboxView(query: Record<string, string | string[] | undefined>): InboxView {
  const wanted = firstValue(query.status);
  return {
    status: inboxStatuses.find((status) => status === wanted) ?? 'open',
    selected: firstValue(query.selected) || undefined,
  };
}

/** The address of an inbox view; what is the default is left out. */
export function inboxPath({ status, selected }: InboxView): string {
  const query = new URLSearchParams();
  if (status !== 'open') query.set('status', status);
  if (selected) query.set('selected', selected);
  return query.size === 0 ? '/inbox' : `/inbox?${query}`;
}
