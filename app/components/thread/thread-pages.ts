'use client';

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { isPageRefused, queryErrorMessage, type ScreensClient } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import type { ThreadItem, ThreadPage } from '#server/screens/inbox/thread-views.ts';

/** The newest page of a thread, with the items that it showed before. */
export type ShownThread = {
  newest: ThreadPage;
  page: ThreadPage;
  /** Number of newest pages that did not overlap the shown one. Earlier pages are loaded again then. */
  restarts: number;
};

/** Returns the items of a thread, oldest first. Keeps items that leave the newest page, because someone may be reading them. */
export function useThreadPages(conversationId: string, newest: ThreadPage) {
  const router = useRouter();
  const screens = useScreens();
  const [last, setShown] = useState<ShownThread>({ newest, page: newest, restarts: 0 });
  const shown = followNewest(last, newest);
  if (shown !== last) setShown(shown);
  const query = useInfiniteQuery(earlierQuery(screens, conversationId, shown));
  const earlier = query.data?.pages ?? [];
  const loadEarlier = async () => {
    const { error } = await query.fetchNextPage({ cancelRefetch: false });
    if (error) toast.error('Could not load earlier messages', { description: queryErrorMessage(error) });
    if (isPageRefused(error)) router.refresh();
  };
  return {
    items: joinRows([shown.page, ...earlier].map(({ items }) => items).reverse()),
    hasMore: (earlier.at(-1) ?? shown.page).earlier !== null,
    loading: query.isFetching,
    loadEarlier,
  };
}

/** Returns the thread after its newest page was fetched again. */
export function followNewest(shown: ShownThread, newest: ThreadPage): ShownThread {
  if (shown.newest === newest) return shown;
  const page = mergeFresh(shown.page, newest);
  return { newest, page, restarts: page === newest ? shown.restarts + 1 : shown.restarts };
}

/** Pages before the shown one, loaded by the teammate only. Dropped when the thread is left. */
export function earlierQuery(
  { conversations }: { conversations: Pick<ScreensClient['conversations'], 'earlier'> },
  id: string,
  { page, restarts }: ShownThread,
) {
  return infiniteQueryOptions({
    queryKey: ['earlier', id, restarts],
    queryFn: ({ pageParam, signal }) =>
      conversations.earlier.query({ id, before: pageParam ?? '' }, { signal }),
    initialPageParam: page.earlier,
    getNextPageParam: ({ earlier }) => earlier,
    enabled: false,
    gcTime: 0,
  });
}

/**
 * Merges the refetched newest page into the shown items: adds new items, replaces changed ones and retains earlier
 * ones. If the pages do not overlap, returns only the new page, because items between them are unknown.
 */
export function mergeFresh(shown: ThreadPage, fresh: ThreadPage): ThreadPage {
  const [oldest] = fresh.items;
  const ids = new Set(fresh.items.map(({ id }) => id));
  if (!oldest || !shown.items.some(({ id }) => ids.has(id))) return fresh;
  const retained = shown.items.filter((item) => !ids.has(item.id) && isBefore(item, oldest));
  return {
    items: [...retained, ...fresh.items],
    earlier: retained.length > 0 ? shown.earlier : fresh.earlier,
  };
}

/** Ids break ties of the same timestamp. */
function isBefore(a: ThreadItem, b: ThreadItem): boolean {
  return a.createdAt < b.createdAt || (+a.createdAt === +b.createdAt && a.id < b.id);
}
