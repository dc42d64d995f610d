import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { loadPage, PAGING } from '#app/components/view/list-pages.ts';
import { conversationsInput, type InboxView, inboxPath, listInput } from '#app/lib/inbox-path.ts';
import type { ListPage, ListView } from '#app/lib/served-inbox.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

// Queries of the inbox. Live events invalidate them (`screens-provider.tsx`), not time.

export function listQuery(screens: ScreensClient, view: InboxView) {
  const of: ListView = { ...view, selected: undefined };
  return infiniteQueryOptions({
    ...PAGING,
    queryKey: ['conversations', 'list', inboxPath(of)] as const,
    queryFn: async ({ pageParam, signal }): Promise<ListPage> => {
      const page = await loadPage(pageParam, (cursor, rows) =>
        screens.inbox.list.query({ ...listInput(of), rows, cursor: cursor ?? undefined }, { signal }),
      );
      return { of, ...page };
    },
    // Keep the rows of the previous view until the next ones arrive.
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

export function viewCountsQuery(screens: ScreensClient) {
  return queryOptions({
    queryKey: ['conversations', 'viewCounts'] as const,
    queryFn: ({ signal }) => screens.inbox.viewCounts.query(undefined, { signal }),
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

/** Time for which a prefetched conversation counts as fresh, in ms. */
const PREFETCH_FRESH_MS = 30_000;

export function openedQuery(screens: ScreensClient, id: string) {
  return queryOptions({
    queryKey: ['conversations', 'opened', id] as const,
    queryFn: ({ signal }): Promise<OpenedView | null> => screens.conversations.get.query({ id }, { signal }),
    staleTime: PREFETCH_FRESH_MS,
  });
}
