import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { ScreensProvider } from '#app/components/live/screens-provider.tsx';
import { SavedViewControls } from '#app/components/saved-views/saved-view-controls.tsx';
import { parseInboxView } from '#app/lib/inbox-path.ts';
import type { SavedView } from '#server/screens/inbox/views.ts';

vi.mock('next/navigation', () => ({
  usePathname: () => '/inbox',
  useSearchParams: () => new URLSearchParams('tag=VIP'),
}));
vi.mock('#app/components/saved-views/actions.ts', () => {
  const save = () => {};
  return { addSavedView: save, renameSavedView: save, deleteSavedView: save };
});

test('each of several views with the same filters can be renamed and deleted by those who may edit it', () => {
  const views = [
    viewOf('Ada’s', { mayEdit: false }),
    viewOf('Mine'),
    viewOf('Urgent', { filters: { status: 'open', tag: 'Urgent' } }),
    viewOf('Shared'),
  ];
  expect(buttonsOf(views)).toEqual([
    ['Rename view Mine', 'rename-view', 'Rename view Mine'],
    ['Delete view Mine', 'delete-view', 'Delete view Mine'],
    ['Rename view Shared', 'rename-view', 'Rename view Shared'],
    ['Delete view Shared', 'delete-view', 'Delete view Shared'],
  ]);
});

test('the buttons show the name of a view only where several have the same filters', () => {
  expect(buttonsOf([viewOf('Mine')])).toEqual([
    ['Rename view Mine', 'rename-view', 'Rename view'],
    ['Delete view Mine', 'delete-view', 'Delete view'],
  ]);
});

test('a saved view of others offers neither changes nor saving', () => {
  expect(buttonsOf([viewOf('Ada’s', { mayEdit: false })])).toEqual([]);
});

function viewOf(name: string, given: Partial<SavedView> = {}): SavedView {
  const filters = { status: 'open', tag: 'VIP' } as const;
  return {
    id: name,
    name,
    isShared: false,
    mayEdit: true,
    filters,
    found: { count: 0, more: false },
    ...given,
  };
}

/** Returns name, shortcut and visible text of each button. */
function buttonsOf(saved: SavedView[]): string[][] {
  const queries = new QueryClient();
  queries.setQueryData(['conversations', 'viewCounts'], { saved });
  const controls = createElement(SavedViewControls, { view: parseInboxView({ tag: 'VIP' }), mayShare: true });
  const children = createElement(QueryClientProvider, { client: queries }, controls);
  const html = renderToStaticMarkup(createElement(ScreensProvider, { workspaceId: 'workspace', children }));
  return [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, tag = '', content = '']) => [
    attribute(tag, 'aria-label'),
    attribute(tag, 'data-shortcut'),
    content.replaceAll(/<[^>]+>/g, ''),
  ]);
}

function attribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
