import { expect, test } from 'vitest';
import { createSuggest, type OfferedReplies } from '#app/components/composer/create-suggest.ts';

const NO_REPLIES: OfferedReplies = { replies: [], areOffered: true, isLoading: false, isStale: false };
const opened: string[] = [];
const suggest = createSuggest(
  { mentionable: [], commands: { commands: [], any: null } },
  { onCommand: (name) => opened.push(name), onSaved: () => {} },
);
const slash = (query: string, start = 0) =>
  ({ trigger: '/', query, start, end: start + query.length + 1 }) as const;

test.each([
  ['', NO_REPLIES, 'No saved replies or commands yet'],
  ['refund', NO_REPLIES, 'No matching saved reply or command'],
  ['', { ...NO_REPLIES, areOffered: false }, 'No commands yet'],
])('without a match for “/%s”, the only suggestion opens the explanation', (query, offered, title) => {
  const { all } = suggest(slash(query), offered);
  expect(all).toMatchObject([{ title, hint: 'How to create one' }]);
  const choice = all[0]?.choice;
  if (choice && 'run' in choice) choice.run();
  expect(opened.pop()).toBe('');
});

test('nothing is suggested while saved replies load, or in the middle of a text', () => {
  expect(suggest(slash(''), { ...NO_REPLIES, isLoading: true }).all).toEqual([]);
  expect(suggest(slash('', 6), NO_REPLIES).all).toEqual([]);
});

test('a teammate who is away is marked among those who can be mentioned', () => {
  const ada = { id: 'ada', name: 'Ada', email: 'ada@acme.test', sees: true, away: { until: null } };
  const mention = createSuggest(
    { mentionable: [ada], commands: { commands: [], any: null } },
    { onCommand: () => {}, onSaved: () => {} },
  );
  const { all } = mention({ trigger: '@', query: '', start: 0, end: 1 }, NO_REPLIES);
  expect(all.map(({ hint }) => hint)).toEqual(['Away · ada@acme.test']);
});

test('a teammate who cannot see the conversation is marked among those who can be mentioned', () => {
  const teammate = (name: string, sees: boolean) => ({
    id: name,
    name,
    email: `${name}@acme.test`,
    sees,
    away: null,
  });
  const mention = createSuggest(
    { mentionable: [teammate('ada', true), teammate('ben', false)], commands: { commands: [], any: null } },
    { onCommand: () => {}, onSaved: () => {} },
  );
  const { all } = mention({ trigger: '@', query: '', start: 0, end: 1 }, NO_REPLIES);
  expect(all.map(({ hint }) => hint)).toEqual([
    'ada@acme.test',
    'Can’t see this conversation · ben@acme.test',
  ]);
});
