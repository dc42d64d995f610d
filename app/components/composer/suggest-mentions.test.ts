import { describe, expect, test } from 'vitest';
import { mentionOf, suggestMentions } from '#app/components/composer/suggest-mentions.ts';

const person = (name: string, email = `${name.toLowerCase().replaceAll(' ', '.')}@acme.test`) => ({
  id: email,
  name,
  email,
  sees: true,
  away: null,
});
const ALL = [
  person('Olivia Owen', 'boss@acme.test'),
  person('Owen Olson'),
  person('Zoë Ødegaard'),
  person('Jean-Luc Noir', 'ow@acme.test'),
];
const names = (query: string) => suggestMentions(query, ALL).map(({ name }) => name);

describe('teammates are suggested', () => {
  test.each<[string, string[]]>([
    ['', ['Olivia Owen', 'Owen Olson', 'Zoë Ødegaard', 'Jean-Luc Noir']],
    ['ow', ['Owen Olson', 'Olivia Owen', 'Jean-Luc Noir']],
    ['OLIVIA O', ['Olivia Owen']],
    ['zoe', ['Zoë Ødegaard']],
    ['luc', ['Jean-Luc Noir']],
    ['boss@a', ['Olivia Owen']],
    ['wen', []],
    ['Olivia Owen ', []],
  ])('for %j: %j', (query, expected) => {
    expect(names(query)).toEqual(expected);
  });

  test('limits the list to eight', () => {
    const many = Array.from({ length: 20 }, (_, number) => person(`Ann ${number}`));
    expect(suggestMentions('ann', many)).toHaveLength(8);
  });
});

test('a mention is the name, or the address where two teammates share a name', () => {
  const [one, other] = [person('Ann Lee', 'a@acme.test'), person('ann lee', 'b@acme.test')];
  expect(mentionOf(one, [one, ...ALL])).toBe('@Ann Lee');
  expect(mentionOf(one, [one, other])).toBe('@a@acme.test');
});
