import { expect, test } from 'vitest';
import { accountEntries, actionEntries, pageEntries } from '#app/components/command-menu/page-entries.ts';
import type { ShortcutAct } from '#app/components/shell/shortcut-list.ts';

const hrefs = (role: string, isTest = false) =>
  pageEntries(role, { isTest }).map(({ act }) => (act.kind === 'go' ? act.href : ''));

const ADMIN_PAGES = [
  '/inbox/deleted',
  '/settings/integrations',
  '/settings/integrations#event-log',
  '/settings/integrations/connections',
  '/settings/integrations/ended',
  '/settings/integrations/history',
  '/settings/workspace',
  '/settings/web-chat',
  '/settings/channels',
  '/settings/channels/email',
  '/settings/blocked-senders',
  '/settings/developers',
  '/settings/plan',
];
const WRITER_PAGES = ['/contacts/new', '/settings/saved-replies', '/settings/ai-agent/test'];

test.each(['owner', 'admin'])('an %s is shown all pages', (role) => {
  expect(hrefs(role)).toEqual(expect.arrayContaining([...ADMIN_PAGES, ...WRITER_PAGES]));
});

test('an agent is not shown pages for owners and admins', () => {
  expect(hrefs('agent')).toEqual(expect.arrayContaining([...WRITER_PAGES, '/settings/flows', '/inbox/spam']));
  expect(hrefs('agent').filter((href) => ADMIN_PAGES.includes(href))).toEqual([]);
});

test('a viewer is shown no pages for owners, admins or agents', () => {
  const refused = [...ADMIN_PAGES, ...WRITER_PAGES];
  expect(hrefs('viewer').filter((href) => refused.includes(href))).toEqual([]);
  expect(hrefs('viewer')).toEqual(expect.arrayContaining(['/inbox', '/contacts', '/settings/teammates']));
});

test('no page is listed twice', () => {
  expect(new Set(hrefs('owner')).size).toBe(hrefs('owner').length);
});

const labels = (role: string, onPage: string[], isSolved = false) =>
  actionEntries({
    role,
    canRun: (act: ShortcutAct) => act.kind === 'press' && onPage.includes(act.target),
    isBulk: () => false,
    isSolved,
  }).map(({ label }) => label);

test('only actions that the current page offers are listed', () => {
  expect(labels('agent', [])).toEqual(['New conversation', 'Keyboard shortcuts']);
  expect(labels('agent', ['spam', 'attach'])).toEqual([
    'New conversation',
    'Keyboard shortcuts',
    'Mark as spam',
    'Attach files',
  ]);
  expect(labels('viewer', [])).toEqual(['Keyboard shortcuts']);
});

test('a view is saved, renamed or deleted, and a whole view selected, where the page has the button', () => {
  const offered = (...onPage: string[]) => labels('viewer', onPage).slice(1);
  expect(offered('save-view')).toEqual(['Save view']);
  expect(offered('rename-view', 'delete-view')).toEqual(['Rename view', 'Delete view']);
  expect(offered('select-view')).toEqual(['Select all in view']);
});

test('the other workspaces of the teammate can be opened', () => {
  const switched: string[] = [];
  const entries = accountEntries({
    otherWorkspaces: [{ id: 'w2', name: 'Northwind' }],
    openWorkspace: (id) => switched.push(id),
    setTheme: () => {},
    signOut: () => {},
  });
  const found = entries.find(({ label }) => label === 'Switch to workspace Northwind');
  if (found?.act.kind === 'call') found.act.call();
  expect(switched).toEqual(['w2']);
});

test('offers to solve an open conversation, and to reopen a solved one', () => {
  expect(labels('viewer', ['solve'])).toContain('Solve');
  expect(labels('viewer', ['solve'], true)).toContain('Reopen');
});

test('actions of the selected conversations have a separate heading', () => {
  const isBulk = (act: ShortcutAct) => act.kind === 'press' && ['spam', 'back'].includes(act.target);
  const grouped = actionEntries({ role: 'agent', canRun: () => true, isBulk, isSolved: false });
  expect(grouped.filter(({ group }) => group === 'Selected conversations')).toMatchObject([
    { label: 'Mark as spam' },
  ]);
  expect(grouped.map(({ label }) => label)).not.toContain('Back to list');
});

test('entries show the keys of their shortcuts', () => {
  const keys = [
    ...pageEntries('owner', { isTest: true }),
    ...actionEntries({ role: 'owner', canRun: () => true, isBulk: () => false, isSolved: false }),
  ].flatMap(({ label, keys }) => (keys ? [[label, keys]] : []));
  expect(Object.fromEntries(keys)).toMatchObject({
    'All conversations': ['g i'],
    Contacts: ['g c'],
    Solve: ['e'],
    Snooze: ['z'],
    'Mark as spam': ['!'],
  });
});
