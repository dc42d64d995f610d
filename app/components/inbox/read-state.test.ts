import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { markReadOptions, markUnreadOptions } from '#app/components/inbox/read-state.ts';

const toastError = vi.hoisted(() => vi.fn());
vi.mock('#app/components/ui/toast.ts', () => ({ toast: { error: toastError } }));
beforeEach(() => void toastError.mockClear());

test('a conversation is shown as unread before it is saved, in every list and when it is opened', async () => {
  const page = openPage({ unread: false });
  const saved = page.markUnread();
  await expect.poll(page.shown).toEqual([true, true, true]);
  page.server.answer();
  await saved;
  expect(page.shown()).toEqual([true, true, true]);
});

test('a conversation that could not be saved as unread is shown as read, with the reason', async () => {
  const page = openPage({ unread: false });
  const saved = page.markUnread();
  await expect.poll(page.shown).toEqual([true, true, true]);
  page.server.refuse();
  await expect(saved).rejects.toThrow();
  expect(page.shown()).toEqual([false, false, false]);
  expect(toastError).toHaveBeenCalledOnce();
});

test('a conversation is shown as read once that is saved', async () => {
  const page = openPage({ unread: true });
  const saved = page.markRead();
  await expect.poll(() => page.server.waiting).toBe(1);
  expect(page.shown()).toEqual([true, true, true]);
  page.server.answer();
  await saved;
  expect(page.shown()).toEqual([false, false, false]);
});

test('the last of two changes counts', async () => {
  const page = openPage({ unread: true });
  const read = page.markRead();
  await expect.poll(() => page.server.waiting).toBe(1);
  const unread = page.markUnread();
  page.server.answer();
  await read;
  await expect.poll(() => page.server.waiting).toBe(1);
  page.server.answer();
  await unread;
  expect(page.shown()).toEqual([true, true, true]);
});

test('a list that was requested before the change is requested again', async () => {
  const page = openPage({ unread: false });
  const stop = page.observeList();
  const before = page.refetchList();
  const saved = page.markUnread();
  await expect.poll(page.shown).toEqual([true, true, true]);
  page.answerList({ unread: false });
  await before;
  expect(page.shown()).toEqual([true, true, true]);
  page.server.answer();
  await expect.poll(() => page.listRequests()).toBe(2);
  page.answerList({ unread: true });
  await saved;
  expect(page.shown()).toEqual([true, true, true]);
  stop();
});

test('what was to be fetched again stays so', async () => {
  const page = openPage({ unread: false });
  await page.queries.invalidateQueries({ queryKey: ['conversations', 'list', 'other'] });
  const saved = page.markUnread();
  await expect.poll(() => page.server.waiting).toBe(1);
  page.server.answer();
  await saved;
  expect(page.queries.getQueryState(['conversations', 'list', 'other'])?.isInvalidated).toBe(true);
});

/** A page with two lists that contain a conversation, which is open. */
function openPage({ unread }: { unread: boolean }) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const keys = [
    ['conversations', 'list', 'shown'],
    ['conversations', 'list', 'other'],
    ['conversations', 'opened', 'one'],
  ];
  const listOf = (state: boolean) => ({
    pages: [
      {
        rows: [
          { id: 'other', unread: false },
          { id: 'one', unread: state },
        ],
        nextCursor: null,
      },
    ],
    pageParams: [null],
  });
  // Older than the changes.
  const updatedAt = Date.now() - 1;
  for (const key of keys.slice(0, 2)) queries.setQueryData(key, listOf(unread), { updatedAt });
  queries.setQueryData(keys[2] ?? [], { conversation: { id: 'one', unread } }, { updatedAt });

  const calls: PromiseWithResolvers<never>[] = [];
  const mutate = () => {
    const call = Promise.withResolvers<never>();
    calls.push(call);
    return call.promise;
  };
  const client = { queries, screens: { inbox: { markRead: { mutate }, markUnread: { mutate } } } } as never;
  const lists: PromiseWithResolvers<unknown>[] = [];
  let asked = 0;
  const queryKey = keys[0] ?? [];
  const list = new QueryObserver(queries, {
    queryKey,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => {
      asked += 1;
      const response = Promise.withResolvers<unknown>();
      lists.push(response);
      return response.promise;
    },
  });
  return {
    queries,
    markRead: () => new MutationObserver(queries, markReadOptions(client)).mutate('one'),
    markUnread: () => new MutationObserver(queries, markUnreadOptions(client)).mutate('one'),
    server: {
      get waiting() {
        return calls.length;
      },
      answer: () => calls.shift()?.resolve(undefined as never),
      refuse: () => calls.shift()?.reject(new Error('refused')),
    },
    observeList: () => list.subscribe(() => {}),
    refetchList: () => list.refetch(),
    listRequests: () => asked,
    answerList: ({ unread: state }: { unread: boolean }) => lists.shift()?.resolve(listOf(state)),
    /** Returns whether each list and the open conversation show it as unread. */
    shown: () =>
      keys.map((key, at) => {
        const data = queries.getQueryData<never>(key);
        const one = at < 2 ? (data as ReturnType<typeof listOf> | undefined)?.pages[0]?.rows[1] : undefined;
        return (
          one?.unread ?? (data as { conversation?: { unread: boolean } } | undefined)?.conversation?.unread
        );
      }),
  };
}
