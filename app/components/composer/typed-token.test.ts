import { describe, expect, test } from 'vitest';
import {
  commandAt,
  completeToken,
  listensFor,
  listensForCommands,
  mentionAt,
  readCommand,
  savedReplyAt,
  startsWithCommand,
} from '#app/components/composer/typed-token.ts';

/** Splits a text marked with `|` into text and caret position. */
function typed(marked: string): [text: string, caret: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

describe('detects a mention being typed', () => {
  test.each([
    ['@|', ''],
    ['@Oli|', 'Oli'],
    ['Ask @Olivia O|', 'Olivia O'],
    ['(@ol|)', 'ol'],
    ['first\n@ol|', 'ol'],
    ['😀@ol|', 'ol'],
    ['@olivia@acme.te|', 'olivia@acme.te'],
    ['@Zoë|', 'Zoë'],
    ['Hi @ol| and more', 'ol'],
  ])('%s', (marked, query) => {
    expect(mentionAt(...typed(marked))?.query).toBe(query);
  });

  test.each([
    ['|@Oli'],
    ['olivia@acme|'],
    ['é@acme|'],
    ['_@acme|'],
    ['@ |'],
    ['@\tx|'],
    ['@Oli\nnext|'],
    ['no trigger|'],
    ['|'],
    [`@${'x'.repeat(61)}|`],
    ['a@b@c|'],
  ])('not in %s', (marked) => {
    expect(mentionAt(...typed(marked))).toBeNull();
  });

  test('the token spans from the @ to the caret', () => {
    expect(mentionAt(...typed('Ask 😀 @Ol|'))).toEqual({ trigger: '@', query: 'Ol', start: 7, end: 10 });
  });
});

describe('detects the query of a saved reply', () => {
  test.each([
    ['/|', ''],
    ['Hello /|', ''],
    ['Hello\n/ref-pol|', 'ref-pol'],
    ['Hello /ref|und and more', 'ref'],
    ['/Über|', 'Über'],
  ])('%s', (marked, query) => {
    expect(savedReplyAt(...typed(marked))?.query).toBe(query);
  });

  test.each([
    ['|/ref'],
    ['and/or|'],
    ['https://example|'],
    ['24/7|'],
    ['Hello /ref und|'],
    ['Hello / |'],
    ['no trigger|'],
    ['|'],
    [`/${'x'.repeat(41)}|`],
  ])('not in %s', (marked) => {
    expect(savedReplyAt(...typed(marked))).toBeNull();
  });

  test('replaces the query without adding a space', () => {
    const [text, caret] = typed('Hello /ref|!');
    const token = savedReplyAt(text, caret);
    expect(token && completeToken(text, token, 'Ada', '')).toEqual({ text: 'Hello Ada!', caret: 9 });
  });
});

describe('detects a command being typed', () => {
  test.each([
    ['/|', ''],
    ['/ref|', 'ref'],
    ['/ref|und', 'ref'],
    ['/Re-fund_2|', 'Re-fund_2'],
    ['/ref| twice', 'ref'],
    ['/|\nrest', ''],
  ])('%s', (marked, query) => {
    expect(commandAt(...typed(marked))?.query).toBe(query);
  });

  test.each([
    ['|/ref'],
    ['/refund |'],
    ['/refund tw|ice'],
    [' /ref|'],
    ['and/or|'],
    ['/usr/b|'],
    ['/us|r/bin'],
    ['text\n/ref|'],
    [`/${'x'.repeat(49)}|`],
    ['/größe|'],
  ])('not in %s', (marked) => {
    expect(commandAt(...typed(marked))).toBeNull();
  });
});

describe('a completion replaces the token and puts the caret after it', () => {
  test.each([
    ['Ask @ol|', '@Olivia Owen', 'Ask @Olivia Owen |'],
    ['Ask @ol| please', '@Olivia Owen', 'Ask @Olivia Owen| please'],
    ['@ol|, please', '@Olivia Owen', '@Olivia Owen |, please'],
    ['@|', '@😀', '@😀 |'],
  ])('%s', (marked, completion, expected) => {
    const [text, caret] = typed(marked);
    const token = mentionAt(text, caret);
    if (!token) throw new Error('Nothing is being typed.');
    const done = completeToken(text, token, completion);
    const [expectedText, expectedCaret] = typed(expected);
    // The caret moves past an existing space.
    const skips = marked.includes('| ') ? 1 : 0;
    expect(done).toEqual({ text: expectedText, caret: expectedCaret + skips });
  });
});

describe('parses a whole text as a command', () => {
  test.each([
    ['/refund', { command: 'refund', details: '' }],
    ['/Refund  order 12\nplease ', { command: 'refund', details: 'order 12\nplease' }],
    ['/2nd_try\n', { command: '2nd_try', details: '' }],
  ])('%s', (text, command) => {
    expect(readCommand(text)).toEqual(command);
  });

  test.each(['', '/', '/-x', ' /refund', 'and/or', '/usr/bin', '/a.b', `/${'x'.repeat(49)}`, 'x\n/refund'])(
    'but not %j',
    (text) => {
      expect(readCommand(text)).toBeNull();
    },
  );
});

test('a workflow without a command filter accepts any name', () => {
  const refund = { name: 'refund', workflows: 1, teammates: ['Ada'] };
  const some = { commands: [refund], any: null };
  const free = { ...some, any: { workflows: 1, teammates: ['Bo'] } };
  const none = { commands: [], any: null };
  expect([some, free, none].map((listened) => listensFor(listened, 'refund'))).toEqual([true, true, false]);
  expect([some, free, none].map((listened) => listensFor(listened, 'other'))).toEqual([false, true, false]);
  expect([some, free, none].map(listensForCommands)).toEqual([true, true, false]);
});

describe('a text that is never sent to a contact', () => {
  test.each(['/refund', '/Refund order', '/2fa', '/refund,', '/Ünknown', '/a.b'])('%s', (text) => {
    expect(startsWithCommand(text)).toBe(true);
  });

  test.each(['', '/', ' /refund', '\n/refund', '/ refund', '//x', '/-x', 'and/or', '“/refund”'])(
    'but not %j',
    (text) => {
      expect(startsWithCommand(text)).toBe(false);
    },
  );
});
