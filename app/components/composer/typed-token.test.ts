import { describe, expect, test } from 'vitest';
import {
  beginsAsCommand,
  commandAt,
  completeToken,
  mentionAt,
  readCommand,
} from '#app/components/composer/typed-token.ts';

/** A text with the caret at `|`, as the functions take it. */
function typed(marked: string): [text: string, caret: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

describe('a mention is being typed', () => {
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
    ['no sign|'],
    ['|'],
    [`@${'x'.repeat(61)}|`],
    ['a@b@c|'],
  ])('not so: %s', (marked) => {
    expect(mentionAt(...typed(marked))).toBeNull();
  });

  test('what is replaced goes from the sign to the caret', () => {
    expect(mentionAt(...typed('Ask 😀 @Ol|'))).toEqual({ sign: '@', query: 'Ol', start: 7, end: 10 });
  });
});

describe('a command is being typed', () => {
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
  ])('not so: %s', (marked) => {
    expect(commandAt(...typed(marked))).toBeNull();
  });
});

describe('a completion takes the place of what was typed, and the caret is behind it', () => {
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
    // Where a space follows anyway the caret goes behind it.
    const skips = marked.includes('| ') ? 1 : 0;
    expect(done).toEqual({ text: expectedText, caret: expectedCaret + skips });
  });
});

describe('a text that is a command as a whole', () => {
  test.each([
    ['/refund', { command: 'refund', details: '' }],
    ['/Refund  order 12\nplease ', { command: 'refund', details: 'order 12\nplease' }],
    ['/2nd_try\n', { command: '2nd_try', details: '' }],
  ])('%s', (text, command) => {
    expect(readCommand(text)).toEqual(command);
  });

  test.each(['', '/', '/-x', ' /refund', 'and/or', '/usr/bin', '/a.b', `/${'x'.repeat(49)}`, 'x\n/refund'])(
    'not so: %s',
    (text) => {
      expect(readCommand(text)).toBeNull();
    },
  );
});

describe('a text that never goes to a contact', () => {
  test.each(['/refund', '/Refund order', '/2fa', '/refund,', '/Ünknown', '/a.b'])('%s', (text) => {
    expect(beginsAsCommand(text)).toBe(true);
  });

  test.each(['', '/', ' /refund', '\n/refund', '/ refund', '//x', '/-x', 'and/or', '“/refund”'])(
    'not so: %s',
    (text) => {
      expect(beginsAsCommand(text)).toBe(false);
    },
  );
});
