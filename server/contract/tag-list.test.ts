import { describe, expect, test } from 'vitest';
import { tagKey } from '#server/contract/tag-key.ts';
import { tagList } from '#server/contract/tag-list.ts';

const EMOJI = '😀';
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `t${number}`);

function refusal(tags: unknown): string | undefined {
  const { error } = tagList.safeParse(tags);
  expect(error?.issues.length ?? 1, JSON.stringify(tags)).toBe(1);
  return error?.issues[0]?.message;
}

describe('tags are parsed', () => {
  test.each<[string, unknown, string[]]>([
    ['from an array', ['VIP', 'refund'], ['VIP', 'refund']],
    ['from one text', 'VIP', ['VIP']],
    ['from a text with commas', 'VIP,refund', ['VIP', 'refund']],
    [
      'without surrounding white space',
      [' VIP ', '\trefund\n', '\u00a0late\u3000'],
      ['VIP', 'refund', 'late'],
    ],
    ['with inner white space', 'big  order , VIP', ['big  order', 'VIP']],
    ['without empty tags', ['', 'VIP', '  ', 'refund', ''], ['VIP', 'refund']],
    ['without empty tags between commas', ',VIP,, ,refund,', ['VIP', 'refund']],
    ['with commas in an array’s texts', ['a,b', 'c'], ['a,b', 'c']],
    ['in any script', ['日本', 'Ünïcode', EMOJI], ['日本', 'Ünïcode', EMOJI]],
  ])('%s', (_how, input, tags) => {
    expect(tagList.parse(input)).toEqual(tags);
  });
});

describe('keeps the first of tags that differ only in case, in its position', () => {
  test.each<[unknown, string[]]>([
    [['VIP', 'vip', 'Vip'], ['VIP']],
    [
      ['a', 'B', 'A', 'b', 'c'],
      ['a', 'B', 'c'],
    ],
    [
      ['c', 'b', 'a', 'B', 'C'],
      ['c', 'b', 'a'],
    ],
    ['late, LATE ,refund,Late', ['late', 'refund']],
    [['Äpfel', 'äpfel'], ['Äpfel']],
    [['e\u0301', '\u00e9', 'E\u0301'], ['e\u0301']],
  ])('%j', (input, tags) => {
    expect(tagList.parse(input)).toEqual(tags);
  });
});

describe('at most 20 tags are accepted, counting repeated but not empty tags', () => {
  const TOO_MANY = 'The tags are too many: send at most 20 in one request.';
  test.each<[string, unknown, string | undefined]>([
    ['20 tags', numbered(20), undefined],
    ['21 tags', numbered(21), TOO_MANY],
    ['20 tags in a text', numbered(20).join(','), undefined],
    ['21 tags in a text', numbered(21).join(','), TOO_MANY],
    ['20 tags among many empty tags', [...numbered(20), ...Array(30).fill(' ')], undefined],
    ['20 tags among many commas', `${','.repeat(40)}${numbered(20).join(',,')},`, undefined],
    ['21 times the same tag', Array(21).fill('vip'), TOO_MANY],
    ['a very long array', Array(100_000).fill('vip'), TOO_MANY],
  ])('%s', (_what, input, sentence) => {
    expect(refusal(input)).toBe(sentence);
  });
});

test('canonically equivalent characters have one key, in upper and lower case', () => {
  const different: string[] = [];
  for (let code = 0; code <= 0x1ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const decomposed = character.normalize('NFD');
    const forms = [decomposed, character.normalize('NFC'), decomposed.toLowerCase()];
    if (forms.some((form) => tagKey(form) !== tagKey(character))) different.push(character);
  }
  expect(different).toEqual([]);
});

describe('a tag has at most 40 code points, after trimming', () => {
  const TOO_LONG = 'Each tag must be at most 40 characters.';
  test.each(['x', 'é', EMOJI])('%s', (character) => {
    expect(refusal([character.repeat(40)])).toBeUndefined();
    expect(refusal(`  ${character.repeat(40)}  ,b`)).toBeUndefined();
    expect(refusal([character.repeat(41)])).toBe(TOO_LONG);
    expect(refusal(`a,${character.repeat(41)}`)).toBe(TOO_LONG);
  });
});

describe('input without tags is refused', () => {
  test.each([[undefined], [null], [''], ['  '], [','], [' , ,'], [[]], [['']], [['', ' \n ']]])(
    '%j',
    (input) => {
      expect(refusal(input)).toBe('The tags are required: send at least one.');
    },
  );

  test.each([[0], [7], [true], [false], [{}], [{ 0: 'a', length: 1 }], [{ name: 'VIP' }]])('%j', (input) => {
    expect(refusal(input)).toBe('The tags must be an array of texts, or one comma-separated text.');
  });

  test.each([[['a', 1]], [['a', null]], [[['a']]], [['a', ['b']]], [[{ name: 'a' }]], [[false]]])(
    '%j',
    (input) => {
      expect(refusal(input)).toBe('Each tag must be text.');
    },
  );

  test.each([['a\0b'], [['a', '\0']], [['\ud83d']], ['a,\ude00b']])('%j', (input) => {
    expect(refusal(input)).toBe('The tags contain a character that cannot be stored. Remove it.');
  });
});
