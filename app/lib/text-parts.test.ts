import fc from 'fast-check';
import { find } from 'linkifyjs';
import { describe, expect, test } from 'vitest';
import { textParts } from '#app/lib/text-parts.ts';

const linked = (text: string, mentioned?: string[]) =>
  textParts(text, find(text, { defaultProtocol: 'https' }), mentioned);

describe('links', () => {
  test.each([
    ['https://example.com/orders/4711', 'https://example.com/orders/4711'],
    ['http://example.com', 'http://example.com'],
    ['example.com/help', 'https://example.com/help'],
    ['ada@example.com', 'mailto:ada@example.com'],
  ])('%s links to %s', (text, href) => {
    expect(linked(`See ${text}, please.`)).toEqual([{ text: 'See ' }, { text, href }, { text: ', please.' }]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
  ])('the attacker cannot link %s', (text) => {
    expect(
      linked(text)
        .flatMap(({ href }) => href ?? [])
        .filter((href) => !/^(https?|mailto):/.test(href)),
    ).toEqual([]);
  });

  test('the parts of any text join to the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.emailAddress(),
      fc.constant('@Ann Lee'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join(' ');
        expect(
          linked(text, ['Ann Lee'])
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('mentions', () => {
  test('are found ignoring case, and the longest name wins', () => {
    expect(linked('Hi @ann lee jones and @Ann Lee!', ['Ann Lee', 'Ann Lee Jones'])).toEqual([
      { text: 'Hi ' },
      { text: '@ann lee jones', isMention: true },
      { text: ' and ' },
      { text: '@Ann Lee', isMention: true },
      { text: '!' },
    ]);
  });

  test('other words after @ stay plain', () => {
    expect(linked('@nobody', ['Ann Lee'])).toEqual([{ text: '@nobody' }]);
  });
});
