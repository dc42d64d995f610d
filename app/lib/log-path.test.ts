import { expect, test } from 'vitest';
import { hasFilters, logFilter, logPath, parseLogView } from '#app/lib/log-path.ts';

test('parses its own URLs and omits unset fields', () => {
  const view = {
    hook: 'h1',
    outcome: 'failed',
    from: '2026-11-21T14:05',
    zone: 'Europe/Berlin',
    delivery: 'd1',
  };
  const path = logPath(view);
  expect(path).toBe(
    '/settings/integrations?hook=h1&outcome=failed&from=2026-11-21T14%3A05&zone=Europe%2FBerlin&delivery=d1',
  );
  expect(parseLogView(Object.fromEntries(new URL(path, 'http://inbox.test').searchParams))).toMatchObject(
    view,
  );
  expect(logPath({})).toBe('/settings/integrations');
});

test('omits a time zone without a time, and treats empty fields as unset', () => {
  expect(logPath({ zone: 'Europe/Berlin', outcome: 'failed' })).toBe('/settings/integrations?outcome=failed');
  expect(parseLogView({ hook: '', event: ['a', 'b'] })).toMatchObject({ hook: undefined, event: 'a' });
});

test('interprets times in the reader’s time zone, including the last minute', () => {
  const filter = logFilter({ from: '2026-11-21T14:00', to: '2026-11-21T14:05', zone: 'Europe/Berlin' });
  expect(filter.since?.toISOString()).toBe('2026-11-21T13:00:00.000Z');
  expect(filter.until?.toISOString()).toBe('2026-11-21T13:06:00.000Z');
});

test('ignores an invalid event, outcome or time', () => {
  const filter = logFilter({ event: 'robot', outcome: 'robot', from: 'robot', to: 'robot' });
  expect(filter).toEqual({
    hookId: undefined,
    event: undefined,
    outcome: 'all',
    since: undefined,
    until: undefined,
    cursor: undefined,
  });
});

test('a page or an open delivery is not a filter', () => {
  expect(hasFilters({})).toBe(false);
  expect(hasFilters({ ...parseLogView({ page: '1', delivery: 'd1', zone: 'UTC' }) })).toBe(false);
  expect(hasFilters({ event: 'contact.created' })).toBe(true);
});
