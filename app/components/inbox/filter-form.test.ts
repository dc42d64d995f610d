import { createElement } from 'react';
import { prerender } from 'react-dom/static';
import { expect, test, vi } from 'vitest';
import { FilterForm } from '#app/components/inbox/filter-form.tsx';
import { ScreensProvider } from '#app/components/live/screens-provider.tsx';
import { parseInboxView } from '#app/lib/inbox-path.ts';

vi.mock('next/navigation', () => ({
  usePathname: () => '/inbox',
  useSearchParams: () => new URLSearchParams(),
}));

const ADA = { id: '01a1fe08-26c9-701b-a6d2-1ac12d5c02f1', name: 'Ada Admin' };
const BILLING = { id: '01a1fe08-26c9-701b-a6d2-1ac12d5c02f2', name: 'Billing' };
const GONE = '01a1fe08-26c9-701b-a6d2-1ac12d5c02f3';

test.each<[Record<string, string>, string[]]>([
  [{ assignee: ADA.id, team: BILLING.id }, ['Ada Admin', 'Billing']],
  [{ assignee: 'me' }, ['Me']],
  [{ assignee: 'unassigned' }, ['Unassigned']],
  [{ assignee: GONE }, ['Former teammate']],
  [{ team: GONE, priority: 'high' }, ['Deleted team', 'High']],
])('the filter panel selects the filters %j', async (query, selected) => {
  const html = await htmlOf(query);
  const options = [...html.matchAll(/<option value="([^"]+)" selected="">([^<]+)</g)];
  expect(options.map(([, value]) => value)).toEqual(Object.values(query));
  expect(options.map(([, , name]) => name)).toEqual(selected);
});

async function htmlOf(query: Record<string, string>): Promise<string> {
  const choices = Promise.resolve({ teams: [BILLING], teammates: [ADA], tags: [] });
  const form = createElement(FilterForm, { view: parseInboxView(query), choices, onDone: () => {} });
  const screens = { viewer: { userId: 'user', workspaceId: 'workspace', seesAll: true }, children: form };
  const { prelude } = await prerender(createElement(ScreensProvider, screens));
  return new Response(prelude).text();
}
