import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { joinRows, liveListOptions } from '#app/components/live/live-list.ts';

describe('a list', () => {
  test('starts with the page from the server, without a request', () => {
    const list = openList([...'abcdefg']);
    expect(list.shown).toBe('abc');
    expect(list.server.reads).toEqual([]);
  });

  test('appends pages until the end', async () => {
    const list = openList([...'abcdefg']);
    await list.loadMore();
    expect(list.shown).toBe('abcdef');
    await list.loadMore();
    expect(list.shown).toBe('abcdefg');
    expect(list.hasMore).toBe(false);
    expect(list.server.reads).toEqual(['c', 'f']);
  });

  test('with only the first page shown follows a change without a request', async () => {
    const list = openList([...'abcdefg']);
    await list.refetchWith([...'xabcdefg']);
    expect(list.shown).toBe('xab');
    expect(list.server.reads).toEqual([]);
  });

  test('with more pages loaded shows moved rows in place and drops removed ones', async () => {
    const list = openList([...'abcdefghi']);
    await list.loadMore();
    await list.refetchWith([...'fabcdghi']);
    expect(list.shown).toBe('fabcdg');
    await list.refetchWith([...'gh']);
    expect(list.shown).toBe('gh');
    expect(list.hasMore).toBe(false);
  });

  test('with many new rows misses none of them', async () => {
    const list = openList([...'abcdef']);
    await list.loadMore();
    await list.refetchWith([...'uvwxyzabcdef']);
    expect(list.shown).toBe('uvwxyz');
    expect(list.hasMore).toBe(true);
  });
});

test('lists a row that moved between two page requests once, with its newest content', () => {
  const row = (id: string, subject = id) => ({ id, subject });
  expect(
    joinRows([
      [row('c', 'new'), row('a')],
      [row('b'), row('c', 'old')],
    ]),
  ).toEqual([row('c', 'new'), row('a'), row('b')]);
});

/** A server with a list of `ids`, three a page, and a client that shows its first page. */
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
    /** Rerenders the first page on the server and refetches the loaded pages. */
    refetchWith: async (now: string[]) => {
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

type Page = { rows: { id: string; subject: string }[]; nextCursor: string | null };
