import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';

/** A list in pages: `next` is where the next page begins, null at the end. */
type Pages<Page> = {
  key: readonly unknown[];
  /** The first page as the server rendered it last. */
  first: () => Page;
  next: (page: Page) => string | null;
  load: (cursor: string, signal: AbortSignal) => Promise<Page>;
};

/** The pages that are loaded. */
export type ListData<Page> = InfiniteData<Page, string | null>;

/**
 * A query of a list whose first page comes with the page it is on and whose others are loaded. When the server has
 * rendered a new first page, reading it again reads the loaded ones from there on: a row that moved, came or went does
 * so everywhere.
 */
export function liveListOptions<Page>({ key, first, next, load }: Pages<Page>) {
  const initialData: ListData<Page> = { pages: [first()], pageParams: [null] };
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => (pageParam === null ? first() : load(pageParam, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: next,
    initialData,
    // Known by `first`, not by time; what is shown nowhere is not kept.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // The rows of the first page identify the list.
    structuralSharing: false,
  });
}

/** A list whose first page is taken up by `follow`; one that `follow` returns as it is begins the list again. */
export function withFirst<Page>(
  { pages: [shown, ...others], pageParams }: ListData<Page>,
  fresh: Page,
  follow: (shown: Page, fresh: Page) => Page,
): ListData<Page> {
  const followed = shown === undefined ? fresh : follow(shown, fresh);
  if (followed === fresh) return { pages: [fresh], pageParams: [null] };
  return { pages: [followed, ...others], pageParams };
}

/** The rows of all pages; one that moved while they were read is listed once. */
export function joinRows<Row extends { id: string }>(pages: readonly (readonly Row[])[]): Row[] {
  const known = new Set<string>();
  return pages.flat().filter(({ id }) => !known.has(id) && known.add(id));
}
