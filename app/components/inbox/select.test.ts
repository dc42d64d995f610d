import { beforeEach, expect, test } from 'vitest';
import {
  retainListed,
  SELECTED_MAX,
  select,
  selectRange,
  startSelecting,
  toggle,
} from '#app/components/inbox/select.ts';
import { getSelection } from '#app/components/inbox/selection.ts';

const LISTED = ['a', 'b', 'c', 'd', 'e'];
const selected = () => [...getSelection().ids];

beforeEach(() => select([]));

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

test('no more than the maximum are selected', () => {
  select(Array.from({ length: SELECTED_MAX + 1 }, (_, index) => `${index}`));
  expect(selected()).toHaveLength(SELECTED_MAX);
});
