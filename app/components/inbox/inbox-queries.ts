import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ScreensClient } from '#app/components/live/screens-provider.tsx';
import { conversationsInput, firstPageInput, type InboxView, inboxPath } from '#app/lib/inbox-path.ts';
import type { FilterChoices, InboxCounts, InboxPage, OpenedView } from '#server/screens/inbox/views.ts';

/** A view of the inbox as its list knows it: whichever conversation is open. */
export type ListView = InboxView & { selected: undefined };

/** The first page of a list, and what is listed. */
export type ListedInbox = { of: ListView; page: InboxPage };

/** What the server rendered the inbox with; what it does not wait for as soon as it is there. */
export type ServedInbox = {
  list: ListedInbox;
  counts: Promise<InboxCounts>;
  choices: Promise<FilterChoices>;
  /** Of the open conversation, if one is. */
  opened: OpenedView | null;
};

// The queries of the inbox. What happened reads them again (`screens-provider.tsx`), not time.

export function listQuery(screens: ScreensClient, view: InboxView) {
  const of: ListView = { ...view, selected: undefined };
  return queryOptions({
    queryKey: ['conversations', 'list', inboxPath(of)] as const,
    queryFn: async ({ signal }): Promise<ListedInbox> => ({
      of,
      page: await screens.inbox.list.query(firstPageInput(of), { signal }),
    }),
    // The rows of the last view stay until those of the next are there.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function countsQuery(screens: ScreensClient, view: InboxView) {
  const input = conversationsInput({ ...view, status: 'all' });
  return queryOptions({
    queryKey: ['conversations', 'counts', input] as const,
    queryFn: ({ signal }) => screens.inbox.counts.query(input, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function choicesQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['conversations', 'choices'] as const,
    queryFn: ({ signal }) => screens.inbox.filterChoices.query(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What was fetched ahead is shown for so long without asking again, in milliseconds. */
const AHEAD_MS = 30_000;

export function openedQuery(screens: ScreensClient, id: string) {
  return queryOptions({
    queryKey: ['conversations', 'opened', id] as const,
    queryFn: ({ signal }): Promise<OpenedView | null> => screens.conversations.get.query({ id }, { signal }),
    staleTime: AHEAD_MS,
  });
}
