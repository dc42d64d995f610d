import { describe, expect, test } from 'vitest';
import {
  type FormattedBlock,
  type FormattedInline,
  type FormattedMark,
  formattedText,
} from '#server/contract/formatted-text.ts';
import { hasFormatting, plainText } from '#server/contract/plain-text.ts';

const text = (words: string, ...marks: FormattedMark[]): FormattedInline =>
  marks.length === 0 ? { type: 'text', text: words } : { type: 'text', text: words, marks };
const link = (href: string): FormattedMark => ({ type: 'link', attrs: { href } });
const line = (...content: FormattedInline[]): FormattedBlock => ({ type: 'paragraph', content });
const bullets = (...items: FormattedBlock[][]): FormattedBlock => ({
  type: 'bulletList',
  content: items.map((content) => ({ type: 'listItem', content })),
});
const numbers = (start: number, ...items: FormattedBlock[][]): FormattedBlock => ({
  type: 'orderedList',
  attrs: { start },
  content: items.map((content) => ({ type: 'listItem', content })),
});
const plain = (...content: FormattedBlock[]) => plainText({ type: 'doc', content });

describe('the plain text of a formatted text', () => {
  test.each(['', 'Hello', ' Hello\n\n  Bye \n'])('is the text that it was made from (%j)', (written) => {
    expect(plainText(formattedText(written))).toBe(written);
  });

  test('has the line breaks of the editor, whichever the text had', () => {
    expect(plainText(formattedText('One\r\ntwo\rthree'))).toBe('One\ntwo\nthree');
  });

  test('leaves out what is bold, italic or code, and breaks the line at a break', () => {
    const content = [text('Dear '), text('Ada', { type: 'bold' }, { type: 'italic' })];
    expect(plain(line(...content, { type: 'hardBreak' }, text('x = 1', { type: 'code' })))).toBe(
      'Dear Ada\nx = 1',
    );
  });

  test('has the lines of a code block', () => {
    const code: FormattedBlock = { type: 'codeBlock', content: [{ type: 'text', text: 'a\n  b' }] };
    expect(plain(code, { type: 'codeBlock' }, line(text('c')))).toBe('a\n  b\n\nc');
  });

  test('has the name of a picture in brackets, which is formatting', () => {
    const content = [
      line(text('See '), { type: 'image', attrs: { fileId: 'f1', alt: 'cat.gif' } }, text('!')),
    ];
    expect(plain(...content)).toBe('See [cat.gif]!');
    expect(hasFormatting({ type: 'doc', content })).toBe(true);
  });

  test('indents lists in lists and the further lines of an item', () => {
    const inner = numbers(
      9,
      [line(text('Nine'))],
      [line(text('Ten')), { type: 'paragraph' }, line(text('more'))],
    );
    expect(plain(line(text('List:')), bullets([line(text('One')), inner], [line(text('Two'))]))).toBe(
      ['List:', '- One', '  9. Nine', '  10. Ten', '', '      more', '- Two'].join('\n'),
    );
  });
});

describe('the address of a link', () => {
  const href = 'https://acme.test/orders';

  test('is behind its text, once for a text that is partly bold', () => {
    const parts = [text('your '), text('order', link(href), { type: 'bold' }), text(' list', link(href))];
    expect(plain(line(...parts, text('.')))).toBe('your order list (https://acme.test/orders).');
  });

  test('is behind the text of each link', () => {
    const other = 'https://acme.test/help';
    expect(plain(line(text('orders', link(href)), text('help', link(other))))).toBe(
      `orders (${href})help (${other})`,
    );
  });

  test.each([
    [href, href],
    [` ${href} `, href],
    ['ada@acme.test', 'mailto:ada@acme.test'],
    ['+49 30 1', 'tel:+49 30 1'],
  ])('is left out if it is the text: %j', (shown, address) => {
    expect(plain(line(text(shown, link(address))))).toBe(shown);
  });

  test('has no scheme of an email address or phone number', () => {
    expect(plain(line(text('Write to us', link('mailto:help@acme.test'))))).toBe(
      'Write to us (help@acme.test)',
    );
  });
});

describe('a text has formatting', () => {
  test.each<[string, FormattedBlock]>([
    ['a mark', line(text('a'), text('b', { type: 'bold' }))],
    ['a list', bullets([line(text('a'))])],
    ['a code block', { type: 'codeBlock' }],
  ])('with %s', (_what, block) => {
    expect(hasFormatting({ type: 'doc', content: [line(text('Hello')), block] })).toBe(true);
  });

  test('but not with lines only', () => {
    const content = [line(text('a'), { type: 'hardBreak' }), line({ type: 'text', text: 'b', marks: [] })];
    expect(hasFormatting({ type: 'doc', content })).toBe(false);
  });
});
