import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  getSelection,
  retainListed,
  SELECTED_MAX,
  select,
  selectListed,
  selectRange,
  selectWholeView,
  startSelecting,
  toggle,
} from '#app/components/inbox/selection.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';

const LISTED = ['a', 'b', 'c', 'd', 'e'];
const selected = () => [...getSelection().ids];

beforeEach(() => select([]));
afterAll(() => select([]));

test('a conversation is selected and deselected', () => {
  toggle('b');
  toggle('d');
  expect([selected(), getSelection().isOn]).toEqual([['b', 'd'], true]);
  toggle('b');
  toggle('d');
  expect([selected(), getSelection().isOn]).toEqual([[], false]);
});

test('a range reaches from the conversation that was toggled last, in both directions', () => {
  toggle('c');
  selectRange('e', LISTED);
  expect(selected()).toEqual(['c', 'd', 'e']);
  toggle('c');
  selectRange('a', LISTED);
  expect(selected().toSorted()).toEqual(LISTED);
});

test('a range without a listed start is one conversation', () => {
  toggle('other');
  selectRange('b', LISTED);
  expect(selected()).toEqual(['other', 'b']);
});

test('checkboxes are shown before a conversation is selected', () => {
  startSelecting();
  expect([selected(), getSelection().isOn]).toEqual([[], true]);
});

test('a conversation that leaves the list is deselected', () => {
  select(['a', 'gone', 'c']);
  retainListed(LISTED);
  expect(selected()).toEqual(['a', 'c']);
});

test('selecting the loaded conversations after a part of a whole view selects no others', async () => {
  await selectWholeView(async () => page(['a', 'not-loaded']));
  select(['not-loaded']);
  selectListed(LISTED);
  expect([selected(), getSelection().isWholeView]).toEqual([LISTED, false]);
  retainListed(['a']);
  expect(selected()).toEqual(['a']);
});

test('a whole view stays selected, with the conversations that the list has not loaded', async () => {
  await selectWholeView(async () => page(['a', 'not-loaded']));
  retainListed(LISTED);
  toggle('b');
  expect(selected()).toEqual(['a', 'not-loaded', 'b']);
  select([]);
  select(['a', 'gone']);
  retainListed(LISTED);
  expect(selected()).toEqual(['a']);
});

test('a whole view is read page by page, with short pages, until its end', async () => {
  const pages: Record<string, [string[], string | null]> = {
    '': [['a'], '1'],
    '1': [[], '2'],
    '2': [['b'], null],
  };
  const load = async (cursor = '') => {
    const [ids, nextCursor] = pages[cursor] ?? [[], null];
    return page(ids, nextCursor);
  };
  expect(await selectWholeView(load)).toBe(true);
  expect([selected(), getSelection().isWholeView]).toEqual([['a', 'b'], true]);
});

test('a view is not selected when the selection changed while it was read', async () => {
  toggle('a');
  const read = Promise.withResolvers<undefined>();
  const selecting = selectWholeView(async () => {
    await read.promise;
    return page(['a', 'b']);
  });
  // As another view is opened.
  select([]);
  read.resolve(undefined);
  expect(await selecting).toBe(false);
  expect(selected()).toEqual([]);
});

test.each([
  ['full', 300, 4],
  ['short', 0, 10],
])('%s pages without an end are read until the maximum', async (_pages, size, requests) => {
  let count = 0;
  const ids = Array.from({ length: size }, (_, n) => `${n}`);
  await selectWholeView(async () => {
    count += 1;
    return page(ids, 'next');
  });
  expect(count).toBe(requests);
});

test('no more than the maximum are selected', () => {
  select(Array.from({ length: SELECTED_MAX + 1 }, (_, index) => `${index}`));
  expect(selected()).toHaveLength(SELECTED_MAX);
});

function page(ids: string[], nextCursor: string | null = null) {
  return { rows: ids.map((id) => ({ id }) as InboxRow), nextCursor };
}
