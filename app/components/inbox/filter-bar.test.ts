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

test.each<Record<string, string>>([
  { status: 'solved' },
  { status: 'all' },
  { sort: 'due' },
  { search: 'refund' },
  { tag: 'VIP' },
  { status: 'pending', sort: 'oldest', selected: 'id' },
])('a list with %j can be saved as a view', async (query) => {
  expect(await htmlOf(query)).toContain('Save view');
});

test.each<Record<string, string>>([{}, { selected: 'id' }, { status: 'open' }])(
  'the default list with %j offers no saving',
  async (query) => {
    const html = await htmlOf(query);
    expect(html).toContain('Search conversations');
    expect(html).not.toContain('Save view');
  },
);

async function htmlOf(query: Record<string, string>): Promise<string> {
  const choices = Promise.resolve({ teams: [], teammates: [], tags: [] });
  const bar = createElement(FilterBar, { view: parseInboxView(query), choices, mayShare: true });
  const screens = { workspaceId: 'workspace', children: bar };
  const { prelude } = await prerender(createElement(ScreensProvider, screens));
  return new Response(prelude).text();
}
