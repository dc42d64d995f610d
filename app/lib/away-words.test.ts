import { expect, test } from 'vitest';
import { nameWithAway } from '#app/lib/away-words.ts';

test.each([
  [undefined, 'UTC', 'Ada'],
  [null, 'UTC', 'Ada'],
  [{ until: null }, 'UTC', 'Ada · Away'],
  [{ until: new Date('2026-12-03T23:00:00Z') }, 'Europe/Berlin', 'Ada · Away until 4 Dec'],
  [{ until: new Date('2026-12-03T23:00:00Z') }, 'UTC', 'Ada · Away until 3 Dec'],
])('the absence %j is shown in %s as %s', (away, timeZone, words) => {
  expect(nameWithAway({ name: 'Ada', away }, timeZone)).toBe(words);
});
