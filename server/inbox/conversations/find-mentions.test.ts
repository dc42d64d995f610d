import { describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { findMentions } from '#server/inbox/conversations/find-mentions.ts';
import { millisecondsOf } from '#test/fixtures/processor-time.ts';

const TEAM = [
  teammate('Ann'),
  teammate('Ann Lee'),
  teammate('Olivia Owen'),
  teammate('José', 'jose@acme.test'),
  teammate("Zoë O'Neil-Day (Ops)", 'zoe@acme.test'),
  teammate('李雷', 'li@acme.test'),
  teammate('Twin', 'twin.one@acme.test'),
  teammate('Twin', 'twin.two@acme.test'),
  teammate('a.*b', 'dots@acme.test'),
];

describe('a teammate is mentioned', () => {
  test.each<[string, string, string[]]>([
    ['by name', 'please look, @Olivia Owen', ['olivia.owen@acme.test']],
    ['at the start and before the end of a line', '@Ann\n', ['ann@acme.test']],
    ['in any letter case', '@OLIVIA oWeN', ['olivia.owen@acme.test']],
    ['by email address', 'see @Olivia.Owen@ACME.test', ['olivia.owen@acme.test']],
    [
      'before punctuation',
      '(@Olivia Owen, @ann!) @José: ok',
      ['olivia.owen@acme.test', 'ann@acme.test', 'jose@acme.test'],
    ],
    [
      'before a full stop and a possessive',
      "@Ann. It is @Olivia Owen's.",
      ['ann@acme.test', 'olivia.owen@acme.test'],
    ],
    [
      'after an emoji, with and without a variation selector',
      '😀@Ann ❤️@José',
      ['ann@acme.test', 'jose@acme.test'],
    ],
    ['before an emoji', '@Ann😀', ['ann@acme.test']],
    ['after another @', '@@Ann', ['ann@acme.test']],
    ['after punctuation', '-@Ann/@José', ['ann@acme.test', 'jose@acme.test']],
    ['once, even if named three times', '@Ann @ann @ANN@acme.test', ['ann@acme.test']],
    ['with an accent as a combining character', '@Jose\u0301!', ['jose@acme.test']],
    ['with punctuation in the name', "@zoë o'neil-day (ops)", ['zoe@acme.test']],
    ['in another script', '@李雷。', ['li@acme.test']],
    ['with a name that looks like a pattern', '@a.*b', ['dots@acme.test']],
  ])('%s', (_how, text, emails) => {
    expect(mentioned(text)).toEqual(emails);
  });

  test('by the longest name that matches', () => {
    expect(mentioned('@Ann Lee')).toEqual(['ann.lee@acme.test']);
    expect(mentioned('@Ann  Lee')).toEqual(['ann@acme.test']);
    expect(mentioned('@Ann Leeds')).toEqual(['ann@acme.test']);
    expect(mentioned('@Ann Lee and @Ann')).toEqual(['ann.lee@acme.test', 'ann@acme.test']);
    expect(mentioned('@ann.lee@acme.test')).toEqual(['ann.lee@acme.test']);
  });

  test('together with everyone else of the same name', () => {
    expect(mentioned('@twin')).toEqual(['twin.one@acme.test', 'twin.two@acme.test']);
    expect(mentioned('@twin.two@acme.test')).toEqual(['twin.two@acme.test']);
  });
});

describe('no one is mentioned', () => {
  test.each([
    ['without an @', 'Ann, Olivia Owen'],
    ['by an @ without a name', '@ @\n@'],
    ['in an email address', 'mail x@ann.test, ann@ann.test or é@ann'],
    ['in an address whose name ends with a letter beyond the first 65,536', '𝒜@ann 𠀀@ann'],
    ['by a part of a name', '@Olivia @An'],
    ['by the start of a longer word', '@Annabel @ann_ @ann1 @Annä @ann\u0301 @ann𝒜'],
    ['with a space after the @', '@ Ann'],
    ['by somebody unknown', '@Nobody'],
    ['in no text', ''],
  ])('%s', (_how, text) => {
    expect(mentioned(text)).toEqual([]);
  });

  test('by a blank name', () => {
    expect(mentioned('@ and @', [teammate(' ', ''), teammate('', ' ')])).toEqual([]);
  });
});

test('a long text of only mentions takes little processor time, even in a large team', () => {
  const many = Array.from({ length: 2_000 }, (_, number) => teammate(`Ann Number ${number}`));
  const start = process.threadCpuUsage();
  expect(mentioned('@'.repeat(10_000), many)).toEqual([]);
  expect(mentioned('@x'.repeat(5_000), many)).toEqual([]);
  expect(mentioned('@ann '.repeat(2_000), many)).toEqual([]);
  expect(mentioned('@Ann Number 7 '.repeat(700), many)).toEqual(['ann.number.7@acme.test']);
  expect(millisecondsOf(process.threadCpuUsage(start))).toBeLessThan(2_000);
});

function mentioned(text: string, team = TEAM) {
  return findMentions(text, team).map(({ email }) => email);
}

function teammate(name: string, email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}@acme.test`): Teammate {
  return {
    id: email,
    name,
    email,
  };
}
