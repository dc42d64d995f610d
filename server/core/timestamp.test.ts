import { expect, test } from 'vitest';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';

test('a timestamp has milliseconds and the offset of UTC, never Z', () => {
  expect(timestamp(new Date('2026-11-21T06:29:29.123Z'))).toBe('2026-11-21T06:29:29.123+00:00');
  expect(timestamp(new Date('2026-11-21T06:29:29+02:00'))).toBe('2026-11-21T04:29:29.000+00:00');
});

test('a missing timestamp stays null', () => {
  expect(timestampOrNull(null)).toBeNull();
  expect(timestampOrNull(new Date(0))).toBe('1970-01-01T00:00:00.000+00:00');
});
