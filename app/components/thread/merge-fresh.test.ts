import { expect, test } from 'vitest';
import { mergeFresh } from '#app/components/thread/merge-fresh.ts';
import type { ThreadItem, ThreadPage } from '#server/screens/inbox/thread-views.ts';

const item = (n: number, sentence = ''): ThreadItem => ({
  kind: 'entry',
  id: String(n).padStart(3, '0'),
  sentence,
  quote: null,
  score: null,
  other: null,
  until: null,
  createdAt: new Date(n),
});
const page = (numbers: number[], earlier: string | null): ThreadPage => ({
  items: numbers.map((n) => item(n)),
  earlier,
});
const numbers = ({ items }: ThreadPage) => items.map(({ id }) => Number(id));

test('adds new items and retains those that left the newest page', () => {
  const after = mergeFresh(page([1, 2, 3], 'before 1'), page([3, 4, 5], 'before 3'));
  expect(numbers(after)).toEqual([1, 2, 3, 4, 5]);
  expect(after.earlier).toBe('before 1');
});

test('replaces changed items', () => {
  const fresh = { items: [item(2, 'Sending'), item(3, 'Sent')], earlier: null };
  expect(mergeFresh(page([2, 3], null), fresh)).toEqual(fresh);
});

test('shows only the new page when the pages do not overlap', () => {
  expect(mergeFresh(page([1, 2], null), page([8, 9], 'before 8'))).toEqual(page([8, 9], 'before 8'));
});

test('sorts an item that was committed late into place', () => {
  expect(numbers(mergeFresh(page([1, 2, 4], 'before 1'), page([2, 3, 4], 'before 2')))).toEqual([1, 2, 3, 4]);
});
