import { expect, test } from 'vitest';
import { mayHaveChanged } from '#app/components/live/live-source.ts';

const RECENT = { completeMs: 3_600_000, changedMs: { conversations: 10_000 } };

test('a topic without a change while there was no stream is up to date', () => {
  expect(mayHaveChanged('conversations', RECENT, 7_000)).toBe(false);
  expect(mayHaveChanged('notifications', RECENT, 60_000)).toBe(false);
});

test('a topic may have changed if it did meanwhile, or shortly before', () => {
  expect(mayHaveChanged('conversations', RECENT, 20_000)).toBe(true);
  expect(mayHaveChanged('conversations', RECENT, 9_000)).toBe(true);
});

test('everything may have changed if the server heard of no changes, or after a long or unknown time', () => {
  expect(mayHaveChanged('channels', { completeMs: 500, changedMs: {} }, 1_000)).toBe(true);
  expect(mayHaveChanged('channels', { completeMs: 0, changedMs: {} }, 0)).toBe(true);
  expect(mayHaveChanged('channels', RECENT, 301_000)).toBe(true);
  expect(mayHaveChanged('channels', RECENT, Number.POSITIVE_INFINITY)).toBe(true);
});
