import { describe, expect, test } from 'vitest';
import { filtersOf, type InboxView, inboxPath, isNarrowed, readInboxView } from '#app/lib/inbox-path.ts';

const ID = '0193e1a0-0000-7000-8000-000000000001';

const asAddress = (view: InboxView) =>
  readInboxView(Object.fromEntries(new URL(inboxPath(view), 'http://localhost').searchParams));

describe('a view survives its address', () => {
  test.each<InboxView>([
    { status: 'solved', selected: ID },
    { status: 'all', selected: undefined, assignee: 'me' },
    { status: 'open', selected: ID, assignee: 'unassigned', channel: 'webchat' },
    {
      status: 'pending',
      selected: undefined,
      assignee: ID,
      team: ID,
      tag: 'VIP & co',
      search: 'späte Lieferung ',
    },
  ])('%o', (view) => {
    expect(asAddress(view)).toEqual(view);
  });
});

test('the inbox opens with the open conversations', () => {
  expect(readInboxView({})).toEqual({ status: 'open', selected: undefined });
  expect(readInboxView({ status: 'lost', selected: '' })).toEqual({ status: 'open', selected: undefined });
  expect(inboxPath({ status: 'open', selected: undefined })).toBe('/inbox');
});

test('what an address cannot mean is left out', () => {
  expect(
    readInboxView({ assignee: 'nobody', team: 'Billing', channel: 'fax', tag: ' \u0000', search: '  ' }),
  ).toEqual({ status: 'open', selected: undefined });
});

test('of what is given twice the first counts, and of what is too long the beginning', () => {
  const view = readInboxView({ tag: ['one', 'two'], search: 'x'.repeat(900) });
  expect(view.tag).toBe('one');
  expect(view.search).toHaveLength(200);
});

test('filters are what narrows a view besides its status', () => {
  const view = readInboxView({ status: 'closed', selected: ID, assignee: 'me', tag: 'VIP' });
  expect(filtersOf(view)).toEqual({ assignee: 'me', tag: 'VIP' });
});

test('a view of the sidebar is not narrowed; one with a tag is', () => {
  expect(isNarrowed({ assignee: 'me' })).toBe(false);
  expect(isNarrowed({ assignee: 'me', tag: 'VIP' })).toBe(true);
});
