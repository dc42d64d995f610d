import { expect, test } from 'vitest';
import { durationTicks, formatChange, formatDuration, formatShare } from '#app/lib/format-report.ts';
import { countedPath, reportQueryOf, targetsListed } from '#app/lib/report-path.ts';

test.for([
  [null, '–'],
  [0, '0 s'],
  [59, '59 s'],
  [90, '2 min'],
  [3_569, '59 min'],
  [3_570, '1 h'],
  [3_600, '1 h'],
  [7_140, '1 h 59 min'],
  [7_190, '2 h'],
  [86_369, '23 h 59 min'],
  [86_370, '1 d'],
  [90_000, '1 d 1 h'],
  [172_799, '2 d'],
] as const)('%s seconds are %s', ([seconds, text]) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.for([
  [0, ['0 s', '1 s']],
  [50, ['0 s', '15 s', '30 s', '45 s', '1 min']],
  [2_500, ['0 s', '15 min', '30 min', '45 min']],
  [25_620, ['0 s', '2 h', '4 h', '6 h', '8 h']],
  [400_000, ['0 s', '2 d', '4 d', '6 d']],
] as const)('an axis up to %s seconds has the ticks %j', ([max, ticks]) => {
  expect(durationTicks(max).map(formatDuration)).toEqual(ticks);
});

test.for([
  [0, 3, '0%'],
  [1, 500, '1%'],
  [499, 500, '99%'],
  [500, 500, '100%'],
] as const)('%s of %s are %s', ([part, of, text]) => {
  expect(formatShare(part, of)).toBe(text);
});

test('a share of nothing and a change from nothing are not numbers', () => {
  expect(formatShare(0, 0)).toBe('–');
  expect(formatShare(2, 3)).toBe('67%');
  expect(formatChange(5, 0)).toBeNull();
  expect(formatChange(null, 3)).toBeNull();
  expect(formatChange(3, 3)).toBe('No change');
  expect(formatChange(3, 2)).toBe('50% more than before');
  expect(formatChange(1, 2, { more: 'slower', less: 'faster' })).toBe('50% faster than before');
});

test('links keep the period and the subject of the report', () => {
  const period = { from: '2026-11-01', to: '2026-11-02' };
  expect(reportQueryOf({ range: '7d', period, dimension: 'all', key: '' })).toBe('?range=7d');
  expect(countedPath({ range: null, period, dimension: 'tag', key: 'a:b' }, 'created', { hour: 3 })).toBe(
    '/reports/conversations?from=2026-11-01&to=2026-11-02&of=tag%3Aa%3Ab&measure=created&hour=3',
  );
});

test('the share of met targets links to the missed ones, or to all if none was missed', () => {
  expect([targetsListed({ slaMissed: 2 }), targetsListed({ slaMissed: 0 })]).toEqual(['missed', 'sla']);
});
