import { describe, expect, test } from 'vitest';
import { type FormattedBlock, formattedText } from '#server/contract/formatted-text.ts';
import { formattedInput, storedFormatted, writtenText } from '#server/contract/parse-formatted.ts';

const doc = (...content: unknown[]) => ({ type: 'doc', content });
const line = (...content: unknown[]) => ({ type: 'paragraph', content });
const linked = (href: string) =>
  doc(line({ type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }));
const isAccepted = (value: unknown) => formattedInput.safeParse(value).success;

/** Returns a list in a list, and so on. */
function nested(depth: number): unknown {
  const content = depth === 1 ? [line({ type: 'text', text: 'deep' })] : [line(), nested(depth - 1)];
  return { type: 'bulletList', content: [{ type: 'listItem', content }] };
}

describe('a formatted text of a screen', () => {
  test('is accepted with every node and mark', () => {
    const item = {
      type: 'listItem',
      content: [line({ type: 'text', text: 'a', marks: [{ type: 'bold' }] })],
    };
    const value = doc(
      line({ type: 'text', text: 'b', marks: [{ type: 'italic' }, { type: 'code' }] }, { type: 'hardBreak' }),
      { type: 'paragraph' },
      { type: 'bulletList', content: [item] },
      { type: 'orderedList', attrs: { start: 3 }, content: [item] },
      { type: 'codeBlock', content: [{ type: 'text', text: 'x' }] },
    );
    expect(JSON.stringify(formattedInput.parse(value))).toBe(JSON.stringify(value));
  });

  test('loses what the editor adds', () => {
    const value = doc({
      ...line({
        type: 'text',
        text: 'here',
        marks: [{ type: 'link', attrs: { href: 'https://a.test', target: '_blank', class: null } }],
      }),
      attrs: { textAlign: null },
    });
    expect(formattedInput.parse(value)).toEqual(linked('https://a.test'));
  });

  test.each([[{}], [{ attrs: { start: null } }], [{ attrs: { start: -1 } }]])(
    'numbers a list from 1 unless it says otherwise (%j)',
    (attrs) => {
      const content = [{ type: 'listItem', content: [line()] }];
      expect(formattedInput.parse(doc({ type: 'orderedList', ...attrs, content }))).toMatchObject({
        content: [{ attrs: { start: 1 } }],
      });
    },
  );

  test.each([
    ['another node', doc({ type: 'image', attrs: { src: 'https://a.test/x.png' } })],
    ['another mark', doc(line({ type: 'text', text: 'a', marks: [{ type: 'highlight' }] }))],
    ['a list without items', doc({ type: 'bulletList', content: [] })],
    ['a text without characters', doc(line({ type: 'text', text: '' }))],
    ['a character that cannot be stored', doc(line({ type: 'text', text: 'a\0' }))],
    ['a paragraph in a paragraph', doc(line(line()))],
    ['a text instead of a document', 'Hello'],
    ['nothing', null],
  ])('is refused with %s', (_what, value) => {
    expect(isAccepted(value)).toBe(false);
  });

  test.each(['https://a.test/b?c=d', 'HTTP://a.test', 'mailto:ada@a.test', 'tel:+49301'])(
    'may link to %s',
    (href) => {
      expect(isAccepted(linked(href))).toBe(true);
    },
  );

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    '//a.test',
    '/settings',
    'https://',
    'https://a.test/\0',
    `https://a.test/${'x'.repeat(2_000)}`,
  ])('may not link to %j', (href) => {
    expect(isAccepted(linked(href))).toBe(false);
  });

  test('may have eight lists in each other, and no more', () => {
    expect(isAccepted(doc(nested(8)))).toBe(true);
    expect(isAccepted(doc(nested(9)))).toBe(false);
  });

  test('is refused with a sentence when it has more than 20,000 nodes', () => {
    const { error } = formattedInput.safeParse(doc(...Array.from({ length: 20_001 }, () => line())));
    expect(error?.issues).toMatchObject([{ message: /too much formatting/ }]);
  });
});

describe('what a screen sent', () => {
  test('is its text without formatting', () => {
    expect(writtenText({ content: 'Hello' })).toEqual({ content: 'Hello', formatted: null });
  });

  test('has the text of its formatting, whatever it says', () => {
    const block: FormattedBlock = { type: 'codeBlock', content: [{ type: 'text', text: 'code' }] };
    const formatted = { type: 'doc' as const, content: [block] };
    expect(writtenText({ content: 'Something else', formatted })).toEqual({ content: 'code', formatted });
  });

  test('has no formatting if that consists of lines', () => {
    const formatted = formattedText('One\ntwo');
    expect(writtenText({ content: '', formatted })).toEqual({ content: 'One\ntwo', formatted: null });
  });
});

test('stored formatting with a node of a later version is read as none', () => {
  expect(storedFormatted(formattedText('Hello'))).toEqual(formattedText('Hello'));
  expect(storedFormatted(doc({ type: 'table' }))).toBeNull();
  expect(storedFormatted(null)).toBeNull();
});
