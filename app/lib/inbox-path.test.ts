import { describe, expect, test } from 'vitest';
import { filtersOf, hasFilters, type InboxView, inboxPath, parseInboxView } from '#app/lib/inbox-path.ts';

const ID = '0193e1a0-0000-7000-8000-000000000001';

const roundTrip = (view: InboxView) =>
  parseInboxView(Object.fromEntries(new URL(inboxPath(view), 'http://localhost').searchParams));

describe('parses its own URLs', () => {
  test.each<InboxView>([
    { status: 'solved', selected: ID },
    { status: 'all', selected: undefined, assignee: 'me' },
    { status: 'all', selected: undefined, reply: 'failed' },
    { status: 'open', selected: undefined, unread: 'yes' },
    { status: 'solved', selected: undefined, sort: 'waiting', tag: 'VIP' },
    { status: 'open', selected: undefined, priority: 'urgent', sla: 'overdue', active: 'over-7d' },
    { status: 'all', selected: undefined, verified: 'no', created: '30d', unread: 'yes', reply: 'failed' },
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
    expect(roundTrip(view)).toEqual(view);
  });
});

test('defaults to the open conversations', () => {
  expect(parseInboxView({})).toEqual({ status: 'open', selected: undefined });
  expect(parseInboxView({ status: 'lost', selected: '' })).toEqual({ status: 'open', selected: undefined });
  expect(inboxPath({ status: 'open', selected: undefined })).toBe('/inbox');
});

test('ignores invalid parameters', () => {
  expect(
    parseInboxView({
      sort: 'newest',
      assignee: 'nobody',
      team: 'Billing',
      channel: 'fax',
      priority: 'highest',
      sla: 'met',
      verified: '1',
      active: '2d',
      created: 'over',
      tag: ' \u0000',
      search: '  ',
    }),
  ).toEqual({ status: 'open', selected: undefined });
});

test('takes the first of repeated parameters and truncates long ones', () => {
  const view = parseInboxView({ tag: ['one', 'two'], search: 'x'.repeat(900) });
  expect(view.tag).toBe('one');
  expect(view.search).toHaveLength(200);
});

test('filters exclude status, order and selection', () => {
  const view = parseInboxView({ status: 'closed', selected: ID, sort: 'due', assignee: 'me', tag: 'VIP' });
  expect(filtersOf(view)).toEqual({ assignee: 'me', tag: 'VIP' });
});

test('a sidebar view has no further filters, a view with a tag has', () => {
  expect(hasFilters({ assignee: 'me' })).toBe(false);
  expect(hasFilters({ team: ID })).toBe(false);
  expect(hasFilters({ assignee: 'me', team: ID })).toBe(true);
  expect(hasFilters({ assignee: 'me', unread: 'yes' })).toBe(false);
  expect(hasFilters({ assignee: 'me', tag: 'VIP' })).toBe(true);
  expect(hasFilters({ priority: 'high' })).toBe(true);
});
