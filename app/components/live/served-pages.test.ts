import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { pagesQuery } from '#app/components/live/served-pages.ts';
import { checkServed, fillServed } from '#app/components/live/use-served.ts';

test('a list starts with the page from the server, without a request, and appends pages until the end', async () => {
  const list = openList([...'abcdefg']);
  expect([list.shown, list.requests()]).toEqual(['abc', []]);
  await list.loadMore();
  await list.loadMore();
  expect([list.shown, list.hasMore]).toEqual(['abcdefg', false]);
  expect(list.requests()).toEqual(['c', 'f']);
});

test('a page that the server renders again makes a list refetch all loaded pages', async () => {
  const list = openList([...'abcdefghi']);
  await list.loadMore();
  list.requests();
  await list.renderAgain([...'fabcdghi']);
  expect([list.shown, list.requests()]).toEqual(['fabcdg', ['start', 'b']]);
  await list.renderAgain([...'gh']);
  expect([list.shown, list.hasMore]).toEqual(['gh', false]);
});

/** A server with a list of `ids`, three a page, and a client that shows its first page. */
function openList(start: string[]) {
  let ids = start;
  const asked: string[] = [];
  const pageAt = (at: number) => ({
    rows: ids.slice(at, at + 3).map((id) => ({ id })),
    nextCursor: at + 3 < ids.length ? (ids[at + 2] ?? null) : null,
  });
  const options = pagesQuery({
    queryKey: ['list'],
    load: async (cursor) => {
      asked.push(cursor ?? 'start');
      return pageAt(cursor === undefined ? 0 : ids.indexOf(cursor) + 1);
    },
  });
  const queries = new QueryClient();
  const served = () => ({ pages: [pageAt(0)], pageParams: [null] });
  const first = served();
  fillServed(queries, options.queryKey, first);
  const observer = new InfiniteQueryObserver(queries, options);
  observer.subscribe(() => {});
  checkServed(queries, options.queryKey, first, false);
  return {
    loadMore: () => observer.fetchNextPage(),
    requests: () => asked.splice(0),
    renderAgain: async (now: string[]) => {
      ids = now;
      checkServed(queries, options.queryKey, served(), false);
      await observer.refetch({ cancelRefetch: false });
    },
    get shown() {
      const { data } = observer.getCurrentResult();
      return (data?.pages ?? []).flatMap(({ rows }) => rows.map(({ id }) => id)).join('');
    },
    get hasMore() {
      return observer.getCurrentResult().hasNextPage;
    },
  };
}
