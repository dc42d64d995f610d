import { expect, test } from 'vitest';
import { isNarrowed, logFilter, logPath, readLogView } from '#app/lib/log-path.ts';

test('an address is read back as it was written, without what is not set', () => {
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
  expect(readLogView(Object.fromEntries(new URL(path, 'http://inbox.test').searchParams))).toMatchObject(
    view,
  );
  expect(logPath({})).toBe('/settings/integrations');
});

test('a time zone without a time is left out, and empty fields are not set', () => {
  expect(logPath({ zone: 'Europe/Berlin', outcome: 'failed' })).toBe('/settings/integrations?outcome=failed');
  expect(readLogView({ hook: '', event: ['a', 'b'] })).toMatchObject({ hook: undefined, event: 'a' });
});

test('the filter means times on the reader’s clock, the last minute included', () => {
  const filter = logFilter({ from: '2026-11-21T14:00', to: '2026-11-21T14:05', zone: 'Europe/Berlin' });
  expect(filter.since?.toISOString()).toBe('2026-11-21T13:00:00.000Z');
  expect(filter.until?.toISOString()).toBe('2026-11-21T13:06:00.000Z');
});

test('what is no event, outcome or time narrows nothing', () => {
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

test('a page or an open delivery does not narrow the log', () => {
  expect(isNarrowed({})).toBe(false);
  expect(isNarrowed({ ...readLogView({ page: '1', delivery: 'd1', zone: 'UTC' }) })).toBe(false);
  expect(isNarrowed({ event: 'contact.created' })).toBe(true);
});
