import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';

/** A paginated list. `next` returns the cursor of the next page, or null at the end. */
type Pages<Page> = {
  key: readonly unknown[];
  /** The first page as last rendered by the server. */
  first: () => Page;
  next: (page: Page) => string | null;
  load: (cursor: string, signal: AbortSignal) => Promise<Page>;
};

export type ListData<Page> = InfiniteData<Page, string | null>;

/**
 * Returns query options of a list whose first page is server-rendered. Refetching after a new first page also
 * refetches the further loaded pages, so that moved, added and removed rows are consistent.
 */
export function liveListOptions<Page>({ key, first, next, load }: Pages<Page>) {
  const initialData: ListData<Page> = { pages: [first()], pageParams: [null] };
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => (pageParam === null ? first() : load(pageParam, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: next,
    initialData,
    // `first` signals changes, not time. Drop unobserved lists.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Keep object identities: the first page identifies the list.
    structuralSharing: false,
  });
}

/** Merges a fresh first page by `follow`. If `follow` returns the fresh page unchanged, the list restarts from it. */
export function withFirst<Page>(
  { pages: [shown, ...others], pageParams }: ListData<Page>,
  fresh: Page,
  follow: (shown: Page, fresh: Page) => Page,
): ListData<Page> {
  const followed = shown === undefined ? fresh : follow(shown, fresh);
  if (followed === fresh) return { pages: [fresh], pageParams: [null] };
  return { pages: [followed, ...others], pageParams };
}

/** Returns the rows of all pages. A row that moved between two requests appears once. */
export function joinRows<Row extends { id: string }>(pages: readonly (readonly Row[])[]): Row[] {
  const seen = new Set<string>();
  return pages.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}
