import { expect, test } from 'vitest';
import { joinRows } from '#app/lib/join-rows.ts';

test('lists a row that moved between two page requests once, with its newest content', () => {
  const row = (id: string, subject = id) => ({ id, subject });
  expect(
    joinRows([
      [row('c', 'new'), row('a')],
      [row('b'), row('c', 'old')],
    ]),
  ).toEqual([row('c', 'new'), row('a'), row('b')]);
});
