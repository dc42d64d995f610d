'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { type ListData, liveListOptions, withFirst } from '#app/components/live/live-list.ts';
import { isPageRefused, queryErrorMessage } from '#app/components/live/page-data.ts';

type Options<Page> = {
  key: readonly unknown[];
  /** The server-rendered first page. A new one refetches all loaded pages. */
  first: Page;
  next: (page: Page) => string | null;
  load: (cursor: string, signal: AbortSignal) => Promise<Page>;
  /** Merges a new first page without refetching the other pages. Returning `fresh` unchanged restarts the list. */
  follow?: (shown: Page, fresh: Page) => Page;
  /** Reports a failed page where the list itself does not. */
  onProblem?: (problem: string) => void;
};

/** `failed`: the next page could not be loaded, and is retried only on request. */
export type LoadingState = 'idle' | 'loading' | 'failed';

/**
 * A list with a server-rendered first page and infinite loading. `loadMore` does nothing at the end or during a
 * fetch.
 */
export function useLiveList<Page>({ key, first, next, load, follow, onProblem }: Options<Page>) {
  const router = useRouter();
  const id = useId();
  const queries = useQueryClient();
  const latest = useRef(first);
  const options = liveListOptions({ key: [...key, id], first: () => latest.current, next, load });
  const query = useInfiniteQuery(options);
  const { isFetching, hasNextPage, refetch, fetchNextPage } = query;
  const applyFirst = useEffectEvent((fresh: Page) => {
    latest.current = fresh;
    if (!follow) return void refetch();
    queries.setQueryData<ListData<Page>>(options.queryKey, (data) => data && withFirst(data, fresh, follow));
  });
  const seen = useRef(first);
  useEffect(() => {
    // One fetch at a time: apply a new first page after the current fetch.
    if (seen.current === first || isFetching) return;
    seen.current = first;
    applyFirst(first);
  }, [first, isFetching]);

  const loadMore = async () => {
    if (!hasNextPage || isFetching) return;
    const { error } = await fetchNextPage();
    if (!error) return;
    onProblem?.(queryErrorMessage(error));
    if (isPageRefused(error)) router.refresh();
  };
  const state: LoadingState = query.isFetchingNextPage
    ? 'loading'
    : query.isFetchNextPageError
      ? 'failed'
      : 'idle';
  return { pages: query.data.pages, hasMore: hasNextPage, isFetching, state, loadMore };
}
