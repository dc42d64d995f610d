import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { joinRows, liveListOptions } from '#app/components/live/live-list.ts';

type Page = { rows: { id: string; subject: string }[]; nextCursor: string | null };

/** A server whose list is `ids`, three a page, and an open page that shows its first page. */
function openList(ids: string[]) {
  const server = { ids, reads: [] as string[] };
  const pageAt = (at: number): Page => ({
    rows: server.ids.slice(at, at + 3).map((id) => ({ id, subject: `${id} of ${server.ids.length}` })),
    nextCursor: at + 3 < server.ids.length ? (server.ids[at + 2] ?? null) : null,
  });
  let first = pageAt(0);
  const options = liveListOptions<Page>({
    key: ['list'],
    first: () => first,
    next: ({ nextCursor }) => nextCursor,
    load: async (cursor) => {
      server.reads.push(cursor);
      return pageAt(server.ids.indexOf(cursor) + 1);
    },
  });
  const observer = new InfiniteQueryObserver(new QueryClient(), options);
  observer.subscribe(() => {});
  return {
    server,
    loadMore: () => observer.fetchNextPage(),
    /** The server renders the page again, and what is loaded is read again. */
    hearNews: async (now: string[]) => {
      server.ids = now;
      first = pageAt(0);
      await observer.refetch();
    },
    get shown() {
      const { data } = observer.getCurrentResult();
      return joinRows((data?.pages ?? []).map(({ rows }) => rows))
        .map(({ id }) => id)
        .join('');
    },
    get hasMore() {
      return observer.getCurrentResult().hasNextPage;
    },
  };
}

describe('a list', () => {
  test('begins with the page of the server, which is not asked again', () => {
    const list = openList([...'abcdefg']);
    expect(list.shown).toBe('abc');
    expect(list.server.reads).toEqual([]);
  });

  test('adds the next page below, goes on from there, and ends', async () => {
    const list = openList([...'abcdefg']);
    await list.loadMore();
    expect(list.shown).toBe('abcdef');
    await list.loadMore();
    expect(list.shown).toBe('abcdefg');
    expect(list.hasMore).toBe(false);
    expect(list.server.reads).toEqual(['c', 'f']);
  });

  test('of which only the first page is shown follows a change without a request', async () => {
    const list = openList([...'abcdefg']);
    await list.hearNews([...'xabcdefg']);
    expect(list.shown).toBe('xab');
    expect(list.server.reads).toEqual([]);
  });

  test('that was loaded further shows a row where it moved to, and none that has gone', async () => {
    const list = openList([...'abcdefghi']);
    await list.loadMore();
    await list.hearNews([...'fabcdghi']);
    expect(list.shown).toBe('fabcdg');
    await list.hearNews([...'gh']);
    expect(list.shown).toBe('gh');
    expect(list.hasMore).toBe(false);
  });

  test('of which much is new at once misses no row between', async () => {
    const list = openList([...'abcdef']);
    await list.loadMore();
    await list.hearNews([...'uvwxyzabcdef']);
    expect(list.shown).toBe('uvwxyz');
    expect(list.hasMore).toBe(true);
  });
});

test('a row that moved to the top between two pages is listed once, as it was read there', () => {
  const row = (id: string, subject = id) => ({ id, subject });
  expect(
    joinRows([
      [row('c', 'new'), row('a')],
      [row('b'), row('c', 'old')],
    ]),
  ).toEqual([row('c', 'new'), row('a'), row('b')]);
});
