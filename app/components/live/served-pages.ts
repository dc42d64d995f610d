'use client';

import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useServed } from '#app/components/live/use-served.ts';

type Paged = { nextCursor: string | null };

/** A list that starts with a page from the server. */
export type ServedPages<Page> = InfiniteData<Page, string | null>;

type Options<Page> = {
  queryKey: readonly [string, ...QueryKey];
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
};

export function pagesQuery<Page extends Paged>({ queryKey, load }: Options<Page>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A page that the server renders after a change makes the list refetch, not time.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A list whose first page the server rendered, with infinite loading. A new first page refetches the loaded pages. */
export function useServedPages<Page extends Paged>(served: ServedPages<Page>, options: Options<Page>) {
  const list = pagesQuery(options);
  useServed<InfiniteData<Page>>(list.queryKey, served);
  const query = useInfiniteQuery(list);
  return { pages: (query.data ?? served).pages, query };
}
