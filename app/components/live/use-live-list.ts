'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { type ListData, liveListOptions, withFirst } from '#app/components/live/live-list.ts';
import { readProblem } from '#app/components/live/screens-provider.tsx';

type Given<Page> = {
  /** What is listed. */
  key: readonly unknown[];
  /** The first page as the server rendered it; a new one has all loaded pages read again. */
  first: Page;
  next: (page: Page) => string | null;
  load: (cursor: string, signal: AbortSignal) => Promise<Page>;
  /**
   * Takes a new first page up without reading the others again: returns what follows on what was shown. One that is
   * returned as it is begins the list again.
   */
  follow?: (shown: Page, fresh: Page) => Page;
  /** Says that a page did not come, where the list itself does not. */
  onProblem?: (problem: string) => void;
};

/** `failed`: the next page did not come; it is not asked for again until somebody does. */
export type LoadingState = 'idle' | 'loading' | 'failed';

/** A list that begins with a page of the server and loads on. `loadMore` does nothing at its end or while it reads. */
export function useLiveList<Page>({ key, first, next, load, follow, onProblem }: Given<Page>) {
  const router = useRouter();
  const id = useId();
  const queries = useQueryClient();
  const latest = useRef(first);
  const options = liveListOptions({ key: [...key, id], first: () => latest.current, next, load });
  const query = useInfiniteQuery(options);
  const { isFetching, hasNextPage, refetch, fetchNextPage } = query;
  const takeUp = useEffectEvent((fresh: Page) => {
    latest.current = fresh;
    if (!follow) return void refetch();
    queries.setQueryData<ListData<Page>>(options.queryKey, (data) => data && withFirst(data, fresh, follow));
  });
  const seen = useRef(first);
  useEffect(() => {
    // One read at a time: what came in the middle of one is taken up after it.
    if (seen.current === first || isFetching) return;
    seen.current = first;
    takeUp(first);
  }, [first, isFetching]);

  const loadMore = async () => {
    if (!hasNextPage || isFetching) return;
    const { error } = await fetchNextPage();
    if (!error) return;
    onProblem?.(readProblem(error));
    // Another workspace may be open by now, or the session over: then the page itself must change.
    router.refresh();
  };
  const state: LoadingState = query.isFetchingNextPage
    ? 'loading'
    : query.isFetchNextPageError
      ? 'failed'
      : 'idle';
  return { pages: query.data.pages, hasMore: hasNextPage, isFetching, state, loadMore };
}
