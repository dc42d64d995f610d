import { expect, test } from 'vitest';
import type { MenuEntry, MenuGroup } from '#app/components/command-menu/menu-entry.ts';
import { firstEntries, rankEntries } from '#app/components/command-menu/rank-entries.ts';

const ENTRIES = [
  entry('Unassigned'),
  entry('Snoozed'),
  entry('Teams', 'Settings', 'settings'),
  entry('Solve', 'Open conversation', 'status'),
  entry('Assign to me', 'Open conversation'),
  entry('Assign to Zoë Adams', 'Open conversation'),
  entry('Refund policy', 'Saved replies', 'insert saved reply billing'),
];

test.each([
  [
    'the start of a label, before a part of a word',
    'assign',
    ['Assign to me', 'Assign to Zoë Adams', 'Unassigned'],
  ],
  ['the start of a word', 'policy', ['Refund policy']],
  ['all words in any order', 'zoe assign', ['Assign to Zoë Adams']],
  ['words without accents, in any case', 'ZOE', ['Assign to Zoë Adams']],
  ['further words of an entry', 'insert refund', ['Refund policy']],
  ['letters in order where no word matches', 'rfnd', ['Refund policy']],
  ['nothing else', 'assign refund', []],
])('matches %s', (_what, text, expected) => {
  expect(labels(text)).toEqual(expected);
});

test('an entry with a name is ranked by the name, unless only its prefix is typed', () => {
  const entries = ['Green beans', 'Ada', 'Zoë'].map((name) => ({ ...entry(`Assign to ${name}`), name }));
  const shown = (text: string) =>
    rankEntries(entries, text, []).flatMap((section) => section.entries.map(({ name }) => name));
  expect(shown('a')).toEqual(['Ada', 'Green beans']);
  expect(shown('assign to a')).toEqual(['Ada', 'Green beans']);
  expect(shown('assign')).toEqual(['Green beans', 'Ada', 'Zoë']);
});

test('after a typed command the entry that runs it comes first, even if another with the same name is recent', () => {
  const entries = ['Assign to Ada', 'Conversations assigned to Ada'].map((label) => ({
    ...entry(label),
    name: 'Ada',
  }));
  const first = (text: string) =>
    rankEntries(entries, text, ['Conversations assigned to Ada'])[0]?.entries[0]?.label;
  expect(first('ada')).toBe('Conversations assigned to Ada');
  expect(first('assign to ada')).toBe('Assign to Ada');
  expect(first('assign ada')).toBe('Assign to Ada');
});

test('a saved view is found by its name, with or without the word before it', () => {
  const view = { ...entry('View Urgent'), name: 'Urgent' };
  for (const text of ['view', 'urgent', 'view urgent'])
    expect(rankEntries([view], text, []), text).toHaveLength(1);
});

test.each([
  ['sort by', ['Sort by: Oldest', 'Sort by: Due first']],
  ['due', ['Sort by: Due first']],
  ['show solved', ['Show status: Solved']],
  ['workspace north', ['Switch to workspace Northwind']],
  ['refund', ['Run /refund']],
  ['/refund', ['Run /refund']],
])('%j finds the commands of the list, the workspace and the workflows', (text, expected) => {
  const entries = [
    'Sort by: Oldest',
    'Sort by: Due first',
    'Show status: Solved',
    'Switch to workspace Northwind',
    'Run /refund',
  ].map((label) => entry(label));
  const shown = rankEntries(entries, text, []).flatMap((section) => section.entries);
  expect(shown.map(({ label }) => label)).toEqual(expected);
});

test('entries that only have the letters in order are not listed with a match of a word', () => {
  const entries = [entry('Send template'), entry('St. Moritz')];
  const shown = (text: string) => rankEntries(entries, text, []).flatMap((section) => section.entries);
  expect(shown('st')).toEqual([entries[1]]);
  expect(shown('sdt')).toEqual([entries[0]]);
});

test('without text, recent entries come first and are not repeated', () => {
  const sections = rankEntries(ENTRIES, ' ', ['Teams', 'gone', 'Solve']);
  expect(sections.map(({ name }) => name)).toEqual(['Recent', 'Open conversation', 'Saved replies', 'Inbox']);
  expect(sections[0]?.entries.map(({ label }) => label)).toEqual(['Teams', 'Solve']);
  expect(labels('', ['Teams'])).toHaveLength(ENTRIES.length);
});

test('at most 5 recent entries are listed above the others', () => {
  const recent = ENTRIES.map(({ id }) => id);
  expect(rankEntries(ENTRIES, '', recent)[0]?.entries).toHaveLength(5);
});

test('a recent entry comes before an equally good one, but not before a better one', () => {
  expect(labels('assign', ['Assign to Zoë Adams'])[0]).toBe('Assign to Zoë Adams');
  expect(labels('assign', ['Unassigned']).at(-1)).toBe('Unassigned');
});

test('groups are in the order of their best entries', () => {
  const names = (text: string) => rankEntries(ENTRIES, text, []).map(({ name }) => name);
  expect(names('s')[0]).toBe('Inbox');
  expect(names('sol')).toEqual(['Open conversation']);
  expect(names('un')[0]).toBe('Inbox');
});

test('a typed text shows at most 40 entries', () => {
  const many = Array.from({ length: 100 }, (_, index) => entry(`Tag ${index}`));
  expect(rankEntries(many, 'tag', []).flatMap(({ entries }) => entries)).toHaveLength(40);
});

function labels(text: string, recent: string[] = []) {
  return rankEntries(ENTRIES, text, recent).flatMap(({ entries }) => entries.map(({ label }) => label));
}

function entry(label: string, group: MenuGroup = 'Inbox', words = ''): MenuEntry {
  return {
    id: label,
    group,
    label,
    words,
    act: { kind: 'help' },
  };
}

test('the first entries keep their groups and order', () => {
  const many = (group: MenuGroup) => Array.from({ length: 10 }, (_, n) => entry(`${group} ${n}`, group));
  const sections = rankEntries([...many('Inbox'), ...many('Settings'), ...many('Account')], '', []);
  expect(firstEntries(sections).map(({ name, entries }) => [name, entries.length])).toEqual([
    ['Inbox', 10],
    ['Settings', 5],
  ]);
});
