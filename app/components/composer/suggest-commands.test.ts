import { describe, expect, test } from 'vitest';
import { describeRuns, suggestCommands } from '#app/components/composer/suggest-commands.ts';
import type { ListenedCommands } from '#server/screens/inbox/composer-views.ts';

const listen = (name: string, workflows = 1, teammates = ['Olivia Owen']) => ({ name, workflows, teammates });
const SOME: ListenedCommands = {
  commands: [listen('escalate'), listen('full-refund'), listen('refund', 2, ['Ada', 'Olivia Owen'])],
  any: null,
};
const FREE: ListenedCommands = { ...SOME, any: { workflows: 1, teammates: ['Bo'] } };
const NONE: ListenedCommands = { commands: [], any: null };
const names = (query: string, listened: ListenedCommands) =>
  suggestCommands(query, listened).map(({ name }) => name);

describe('commands are suggested', () => {
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

test('describes the workflows that a command runs', () => {
  expect(describeRuns('escalate', SOME)).toBe('Runs 1 of Olivia Owen’s workflows');
  expect(describeRuns('refund', FREE)).toBe('Runs 3 of Ada, Bo, and Olivia Owen’s workflows');
  expect(describeRuns('other', FREE)).toBe('Runs 1 of Bo’s workflows');
  expect(describeRuns('other', SOME)).toBe('No workflow listens for this command');
});
