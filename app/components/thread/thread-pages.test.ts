import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import {
  earlierQuery,
  followNewest,
  mergeFresh,
  type ShownThread,
} from '#app/components/thread/thread-pages.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import type { ThreadItem, ThreadPage } from '#server/screens/inbox/thread-views.ts';

const item = (n: number, sentence = ''): ThreadItem => ({
  kind: 'entry',
  id: String(n).padStart(3, '0'),
  sentence,
  quote: null,
  score: null,
  other: null,
  until: null,
  createdAt: new Date(n),
});
const page = (numbers: number[], earlier: string | null): ThreadPage => ({
  items: numbers.map((n) => item(n)),
  earlier,
});
const numbers = ({ items }: ThreadPage) => items.map(({ id }) => Number(id));

test('adds new items and retains those that left the newest page', () => {
  const after = mergeFresh(page([1, 2, 3], 'before 1'), page([3, 4, 5], 'before 3'));
  expect(numbers(after)).toEqual([1, 2, 3, 4, 5]);
  expect(after.earlier).toBe('before 1');
});

test('replaces changed items', () => {
  const fresh = { items: [item(2, 'Sending'), item(3, 'Sent')], earlier: null };
  expect(mergeFresh(page([2, 3], null), fresh)).toEqual(fresh);
});

test('shows only the new page when the pages do not overlap', () => {
  expect(mergeFresh(page([1, 2], null), page([8, 9], 'before 8'))).toEqual(page([8, 9], 'before 8'));
});

test('sorts an item that was committed late into place', () => {
  expect(numbers(mergeFresh(page([1, 2, 4], 'before 1'), page([2, 3, 4], 'before 2')))).toEqual([1, 2, 3, 4]);
});

describe('the earlier pages of a thread', () => {
  test('are loaded one by one, and stay while the newest page grows', async () => {
    const thread = openThread(9);
    expect([thread.shown(), thread.hasMore()]).toEqual([[7, 8, 9], true]);
    await thread.loadEarlier();
    thread.receive(10, 11);
    expect(thread.shown()).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    await thread.loadEarlier();
    expect(thread.shown()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(thread.hasMore()).toBe(false);
  });

  test('are loaded again once items between them and the newest page are unknown', async () => {
    const thread = openThread(6);
    await thread.loadEarlier();
    thread.receive(7, 8, 9, 10);
    expect([thread.shown(), thread.hasMore()]).toEqual([[8, 9, 10], true]);
    await thread.loadEarlier();
    expect(thread.shown()).toEqual([5, 6, 7, 8, 9, 10]);
  });
});

/** A conversation with items 1 to `last`, three a page, and a client that shows the newest page. */
function openThread(last: number) {
  let newestItem = last;
  const pageUpTo = (to: number): ThreadPage => {
    const from = Math.max(to - 2, 1);
    return page(
      Array.from({ length: to - from + 1 }, (_, at) => from + at),
      from > 1 ? String(from) : null,
    );
  };
  const query = async ({ before }: { before: string }) => pageUpTo(Number(before) - 1);
  const queries = new QueryClient();
  const newest = pageUpTo(last);
  let shown: ShownThread = { newest, page: newest, restarts: 0 };
  const optionsNow = () => earlierQuery({ conversations: { earlier: { query } } } as never, 'id', shown);
  const observer = new InfiniteQueryObserver(queries, optionsNow());
  observer.subscribe(() => {});
  const earlier = () => observer.getCurrentResult().data?.pages ?? [];
  return {
    receive: (...received: number[]) => {
      newestItem = received.at(-1) ?? newestItem;
      shown = followNewest(shown, pageUpTo(newestItem));
      observer.setOptions(optionsNow());
    },
    loadEarlier: () => observer.fetchNextPage(),
    shown: () =>
      joinRows([shown.page, ...earlier()].map(({ items }) => items).reverse()).map(({ id }) => Number(id)),
    hasMore: () => (earlier().at(-1) ?? shown.page).earlier !== null,
  };
}
