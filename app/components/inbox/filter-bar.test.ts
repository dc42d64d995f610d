import { createElement } from 'react';
import { prerender } from 'react-dom/static';
import { expect, test, vi } from 'vitest';
import { FilterBar } from '#app/components/inbox/filter-bar.tsx';
import { ScreensProvider } from '#app/components/live/screens-provider.tsx';
import { parseInboxView } from '#app/lib/inbox-path.ts';

vi.mock('next/navigation', () => ({
  usePathname: () => '/inbox',
  useSearchParams: () => new URLSearchParams(),
}));
vi.mock('#app/components/saved-views/actions.ts', () => ({}));

const TEAM = '0190a1b2-0000-7000-8000-000000000001';

test.each<Record<string, string>>([
  { assignee: 'unassigned', channel: 'email' },
  { assignee: TEAM },
  { assignee: 'me', status: 'solved' },
  { status: 'solved' },
  { status: 'all', sort: 'oldest' },
  { status: 'all', tag: 'VIP' },
  { sort: 'due' },
  { search: 'refund' },
  { tag: 'VIP' },
  { status: 'pending', sort: 'oldest', selected: 'id' },
])('a list with %j can be saved as a view', async (query) => {
  expect(await htmlOf(query)).toContain('Save view');
});

test.each<Record<string, string>>([
  {},
  { selected: 'id' },
  { status: 'open' },
  { assignee: 'unassigned' },
  { assignee: 'me' },
  { unread: 'yes' },
  { team: TEAM },
  { reply: 'failed', status: 'all' },
  { snoozed: 'yes', status: 'pending' },
  { status: 'all' },
  { status: 'all', selected: 'id' },
])('a view of the sidebar or the tab All with %j offers no saving, and shows no filter', async (query) => {
  const html = await htmlOf(query);
  expect(html).toContain('Search conversations');
  expect(html).not.toContain('Save view');
  expect(html).not.toMatch(/Remove filter|Filter, \d+ active/);
});

async function htmlOf(query: Record<string, string>): Promise<string> {
  const choices = Promise.resolve({ teams: [], teammates: [], tags: [] });
  const bar = createElement(FilterBar, { view: parseInboxView(query), choices, mayShare: true });
  const screens = { viewer: { userId: 'user', workspaceId: 'workspace', seesAll: true }, children: bar };
  const { prelude } = await prerender(createElement(ScreensProvider, screens));
  return new Response(prelude).text();
}
