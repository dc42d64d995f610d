import { QueryObserver, queryOptions, useQuery } from '@tanstack/react-query';
import { createElement, Suspense, use } from 'react';
import { prerender } from 'react-dom/static';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pageData, refetchTopic } from '#app/components/live/page-data.ts';
import { ScreensProvider } from '#app/components/live/screens-provider.tsx';
import { checkServed, fillServed, useServed } from '#app/components/live/use-served.ts';

const KEY = ['conversations', 'opened', '1'] as const;
let viewers = 0;

beforeEach(() => vi.stubGlobal('window', globalThis));
afterEach(() => vi.unstubAllGlobals());

describe('data that the server rendered', () => {
  test('fills a query, which is not requested', () => {
    const page = openPage();
    page.render({ subject: 'served' });
    expect(page.shown()).toEqual({ subject: 'served' });
    expect(page.requests).toBe(0);
  });

  test('never replaces data that the page has fetched, whichever is newer', async () => {
    const page = openPage();
    page.queries.setQueryData(KEY, { subject: 'fetched' });
    page.render({ subject: 'served' });
    expect(page.shown()).toEqual({ subject: 'fetched' });
    await vi.waitFor(() => expect(page.shown()).toEqual({ subject: 'response 1' }));
    expect(page.requests).toBe(1);
  });

  test('makes a query that its render fetches send one request, and one that was being fetched another one', async () => {
    const page = openPage();
    page.queries.setQueryData(KEY, { subject: 'fetched' });
    await page.queries.invalidateQueries({ queryKey: KEY });
    page.render({ subject: 'served' });
    expect(page.requests).toBe(1);
    page.render({ subject: 'served later' });
    await vi.waitFor(() => expect(page.shown()).toEqual({ subject: 'response 2' }));
    expect(page.requests).toBe(2);
  });

  test('does not hide a change that is shown before it is saved', () => {
    const page = openPage();
    page.render({ subject: 'served' });
    page.queries.setQueryData(KEY, { subject: 'changed by the teammate' });
    page.render({ subject: 'served again, before the change' });
    expect(page.shown()).toEqual({ subject: 'changed by the teammate' });
  });

  test('is fetched again if it is streamed after a change that it does not contain', async () => {
    const page = openPage();
    await refetchTopic('conversations');
    page.render({ subject: 'before the change' });
    await vi.waitFor(() => expect(page.shown()).toEqual({ subject: 'response 1' }));
  });

  test('is not shown when a page returns after the query cache has dropped it', () => {
    const page = openPage();
    const served = { subject: 'served' };
    page.render(served);
    page.queries.removeQueries({ queryKey: KEY });
    page.render(served);
    expect(page.shown()).toBeUndefined();
    expect(page.requests).toBe(1);
  });

  test('is requested at most once, however often the page is rendered', async () => {
    const page = openPage();
    page.queries.setQueryData(KEY, { subject: 'fetched' });
    const served = { subject: 'served' };
    for (let times = 0; times < 3; times += 1) page.render(served);
    await vi.waitFor(() => expect(page.shown()).toEqual({ subject: 'response 1' }));
    page.render(served);
    expect(page.requests).toBe(1);
  });

  test('changes nothing that is shown when its render is abandoned', () => {
    const page = openPage();
    page.queries.setQueryData(KEY, { subject: 'fetched' });
    fillServed(page.queries, KEY, { subject: 'served' });
    expect(page.shown()).toEqual({ subject: 'fetched' });
    expect(page.requests).toBe(0);
  });
});

test('no data of another teammate or workspace is on a page', () => {
  const first = pageData({ userId: 'ada', workspaceId: 'one', seesAll: true });
  first.queries.setQueryData(KEY, { subject: 'served' });
  for (const viewer of [
    { userId: 'ben', workspaceId: 'one', seesAll: true },
    { userId: 'ben', workspaceId: 'two', seesAll: true },
    { userId: 'ada', workspaceId: 'one', seesAll: true },
  ]) {
    expect(pageData(viewer).queries.getQueryData(KEY)).toBeUndefined();
    expect(pageData(viewer)).toBe(pageData({ ...viewer }));
  }
});

test('served data is in the HTML, also data that is streamed', async () => {
  vi.unstubAllGlobals();
  const children = createElement(
    Suspense,
    { fallback: 'Loading' },
    createElement(Subject, { served: Promise.resolve({ subject: 'From the server' }) }),
  );
  const viewer = { userId: 'user', workspaceId: 'workspace', seesAll: true };
  const { prelude } = await prerender(createElement(ScreensProvider, { viewer, children }));
  expect(await new Response(prelude).text()).toContain('From the server');
});

const query = queryOptions({ queryKey: KEY, queryFn: (): Promise<{ subject: string }> => Promise.reject() });

function Subject({ served }: { served: Promise<{ subject: string }> }) {
  useServed(query.queryKey, use(served));
  return useQuery(query).data?.subject;
}

/** A page with an empty cache, and its query of a conversation. */
function openPage() {
  viewers += 1;
  const { queries } = pageData({ userId: `${viewers}`, workspaceId: 'workspace', seesAll: true });
  const page = { requests: 0 };
  const observer = new QueryObserver(queries, {
    queryKey: KEY,
    queryFn: async () => {
      page.requests += 1;
      return { subject: `response ${page.requests}` };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return Object.assign(page, {
    queries,
    /** Renders the page, then runs its effects. */
    render: (served: object) => {
      const wasFetching = queries.isFetching({ queryKey: KEY }) > 0;
      fillServed(queries, KEY, served);
      observer.setOptions(observer.options);
      if (!observer.hasListeners()) observer.subscribe(() => {});
      checkServed(queries, KEY, served, wasFetching);
    },
    shown: () => queries.getQueryData(KEY),
  });
}
