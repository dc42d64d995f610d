import { expect, test } from 'vitest';
import { lengthOf } from '#server/inbox/reports/period.ts';
import { listQuery, periodOf, reportQuery } from '#server/screens/reports/report-query.ts';

const TODAY = '2026-11-29';
const of = (query: Record<string, string>) => periodOf(reportQuery.parse(query), TODAY);

test('a report is about the last 30 days unless a period is chosen', () => {
  expect(of({})).toEqual({ range: '30d', period: { from: '2026-10-31', to: TODAY } });
  expect(of({ range: '7d' }).period).toEqual({ from: '2026-11-23', to: TODAY });
  expect(of({ range: 'century' }).range).toBe('30d');
  expect(of({ from: '2026-01-01' }).range).toBe('30d');
});

test('chosen days may be in any order and are at most three years', () => {
  expect(of({ from: '2026-02-03', to: '2026-02-01' })).toEqual({
    range: null,
    period: { from: '2026-02-01', to: '2026-02-03' },
  });
  expect(of({ from: '2026-02-31', to: '2026-02-01' }).range).toBe('30d');
  expect(lengthOf(of({ from: '0001-01-01', to: '9999-12-31' }).period)).toBe(366 * 3);
});

test('a period ends today at the latest, so that days to come do not displace those with figures', () => {
  expect(of({ from: '2026-11-01', to: '9999-12-31' }).period).toEqual({ from: '2026-11-01', to: TODAY });
  expect(of({ from: '2020-01-01', to: '2030-01-01' }).period.to).toBe(TODAY);
  expect(of({ from: '2027-01-01', to: '2028-01-01' }).period).toEqual({ from: TODAY, to: TODAY });
});

test('the subject is a dimension and a key, which may contain a colon', () => {
  expect(reportQuery.parse({ of: 'tag:a:b' }).of).toEqual({ dimension: 'tag', key: 'a:b' });
  expect(reportQuery.parse({ of: 'team:' }).of).toEqual({ dimension: 'team', key: '' });
  expect(reportQuery.parse({ of: 'galaxy:x' }).of).toEqual({ dimension: 'all', key: '' });
});

test('an unknown hour or measure counts as not given', () => {
  expect(listQuery.parse({ hour: '168', measure: 'love' })).toMatchObject({
    hour: undefined,
    measure: undefined,
  });
  expect(listQuery.parse({ hour: '167', measure: 'missed' })).toMatchObject({ hour: 167, measure: 'missed' });
});
