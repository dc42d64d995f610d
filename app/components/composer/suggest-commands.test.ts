import { describe, expect, test } from 'vitest';
import {
  describeStarts,
  listensFor,
  listensForCommands,
  suggestCommands,
} from '#app/components/composer/suggest-commands.ts';
import type { ListenedCommands } from '#server/screens/inbox/views.ts';

const listen = (name: string, workflows = 1, teammates = ['Olivia Owen']) => ({ name, workflows, teammates });
const SOME: ListenedCommands = {
  commands: [listen('escalate'), listen('full-refund'), listen('refund', 2, ['Ada', 'Olivia Owen'])],
  any: null,
};
const FREE: ListenedCommands = { ...SOME, any: { workflows: 1, teammates: ['Bo'] } };
const NONE: ListenedCommands = { commands: [], any: null };
const names = (query: string, listened: ListenedCommands) =>
  suggestCommands(query, listened).map(({ name }) => name);

describe('commands are offered', () => {
  test.each<[string, ListenedCommands, string[]]>([
    ['', SOME, ['escalate', 'full-refund', 'refund']],
    ['ref', SOME, ['refund', 'full-refund']],
    ['REF', SOME, ['refund', 'full-refund']],
    ['other', SOME, []],
    ['other', FREE, ['other']],
    ['refund', FREE, ['refund', 'full-refund']],
    ['-x', FREE, []],
    ['', FREE, ['escalate', 'full-refund', 'refund']],
    ['', NONE, []],
  ])('for %j', (query, listened, expected) => {
    expect(names(query, listened)).toEqual(expected);
  });
});

test('with each it is said what it starts', () => {
  expect(describeStarts('escalate', SOME)).toBe('Starts 1 workflow of Olivia Owen');
  expect(describeStarts('refund', FREE)).toBe('Starts 3 workflows of Ada, Bo, and Olivia Owen');
  expect(describeStarts('other', FREE)).toBe('Starts 1 workflow of Bo');
  expect(describeStarts('other', SOME)).toBe('No workflow listens for it');
});

test('a workflow for every command listens for any name', () => {
  expect([SOME, FREE, NONE].map((listened) => listensFor(listened, 'other'))).toEqual([false, true, false]);
  expect([SOME, FREE, NONE].map(listensForCommands)).toEqual([true, true, false]);
});
