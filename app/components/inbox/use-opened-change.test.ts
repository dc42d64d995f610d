import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { openedChangeOptions, withValues } from '#app/components/inbox/use-opened-change.ts';
import { openedQuery } from '#app/components/view/inbox-queries.ts';

test('a change is shown before it is saved', async () => {
  const page = openPage();
  const saved = page.solve();
  await expect.poll(page.status).toBe('solved');
  page.answer(true);
  await saved;
  expect(page.status()).toBe('solved');
});

test('a refused change disappears, and the conversation is fetched again', async () => {
  const page = openPage();
  const saved = page.solve();
  await expect.poll(page.status).toBe('solved');
  page.answer(false);
  await expect(saved).rejects.toThrow();
  expect(page.status()).toBe('open');
  expect(page.isToBeFetched()).toBe(true);
});

test('a response to a request from before the change does not hide it', async () => {
  const page = openPage();
  const before = page.fetchAgain();
  const saved = page.solve();
  await expect.poll(page.status).toBe('solved');
  page.answerFetch('open');
  await before;
  expect(page.status()).toBe('solved');
  page.answer(true);
  await saved;
});

function openPage() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { queryKey } = openedQuery({} as never, 'one');
  const opened = (status: string) => ({ conversation: { id: 'one', status } }) as never;
  queries.setQueryData(queryKey, opened('open'));
  const response = Promise.withResolvers<never>();
  const saving = Promise.withResolvers<boolean>();
  const options = openedChangeOptions(queries, queryKey);
  return {
    solve: () =>
      new MutationObserver(queries, options).mutate({
        show: withValues({ status: 'solved' }),
        save: () => saving.promise,
      }),
    answer: saving.resolve,
    fetchAgain: () =>
      queries.fetchQuery({ queryKey, queryFn: () => response.promise, staleTime: 0 }).catch(() => {}),
    answerFetch: (status: string) => response.resolve(opened(status)),
    status: () => queries.getQueryData(queryKey)?.conversation.status,
    isToBeFetched: () => queries.getQueryState(queryKey)?.isInvalidated,
  };
}
