import { expect, test } from 'vitest';
import {
  type FormattedBlock,
  type FormattedInline,
  type FormattedMark,
  formattedText,
} from '#server/contract/formatted-text.ts';
import { formattedHtml } from '#server/inbox/channels/email/formatted-html.ts';
import { writeMailBody } from '#server/inbox/channels/email/write-mail-body.ts';

const text = (words: string, ...marks: FormattedMark[]): FormattedInline => ({
  type: 'text',
  text: words,
  marks,
});
const link = (href: string): FormattedMark => ({ type: 'link', attrs: { href } });
const line = (...content: FormattedInline[]): FormattedBlock => ({ type: 'paragraph', content });
/** Returns the HTML without its styles. */
const htmlOf = (...content: FormattedBlock[]) =>
  formattedHtml({ type: 'doc', content }).replaceAll(/ style="[^"]*"/g, '');

test('a paragraph is a line, an empty one an empty line, and none is at the end', () => {
  expect(htmlOf(line(text('One')), { type: 'paragraph' }, line(text('two')), { type: 'paragraph' })).toBe(
    '<div>One</div>\n<div><br></div>\n<div>two</div>',
  );
});

test('marks are elements, and a code has no link', () => {
  expect(
    htmlOf(line(text('a', { type: 'bold' }, { type: 'italic' }), text('https://a.test', { type: 'code' }))),
  ).toBe('<div><strong><em>a</em></strong><code>https://a.test</code></div>');
});

test('a link that is partly bold is one link', () => {
  const mark = link('https://a.test/?b=1&c="2"');
  expect(
    htmlOf(line(text('See '), text('your', mark), text(' order', mark, { type: 'bold' }), text('.'))),
  ).toBe('<div>See <a href="https://a.test/?b=1&amp;c=&quot;2&quot;">your<strong> order</strong></a>.</div>');
});

test('web addresses in other texts are linked, and HTML is escaped', () => {
  expect(htmlOf(line(text('<b> https://a.test.', { type: 'bold' })))).toBe(
    '<div><strong>&lt;b&gt; <a href="https://a.test">https://a.test</a>.</strong></div>',
  );
});

test('a picture is the part of the mail with its Content-ID, also after spaces and links', () => {
  const picture: FormattedInline = { type: 'image', attrs: { fileId: 'f1', alt: 'a "b"  c.png' } };
  expect(htmlOf(line(text('See  '), picture, text('x', link('https://a.test'))))).toBe(
    '<div>See&nbsp; <img src="cid:f1" alt="a &quot;b&quot;  c.png"><a href="https://a.test">x</a></div>',
  );
});

test('spaces and line breaks are kept, and one between two parts stays breakable', () => {
  expect(htmlOf(line(text('  a '), text('b', { type: 'bold' }), { type: 'hardBreak' }, text('c  d ')))).toBe(
    '<div>&nbsp; a <strong>b</strong><br>\nc&nbsp; d&nbsp;</div>',
  );
});

test('lists are lists with their first number, and an item starts with its text', () => {
  const inner: FormattedBlock = {
    type: 'orderedList',
    attrs: { start: 3 },
    content: [{ type: 'listItem', content: [line(text('b')), line(text('c'))] }],
  };
  const items = [
    { type: 'listItem' as const, content: [line(text('a')), inner] },
    { type: 'listItem' as const, content: [{ type: 'paragraph' as const }] },
  ];
  expect(htmlOf({ type: 'bulletList', content: items })).toBe(
    '<ul><li>a<ol start="3"><li>b<div>c</div></li></ol></li><li><br></li></ul>',
  );
});

test('a code block keeps its lines', () => {
  expect(htmlOf({ type: 'codeBlock', content: [{ type: 'text', text: '\nif (a < b)\n  c' }] })).toBe(
    '<pre><code>\nif (a &lt; b)\n  c</code></pre>',
  );
});

test('the HTML of a mail has the formatting, above the signature, and its text the plain text', () => {
  const formatted = { type: 'doc' as const, content: [line(text('Hello', { type: 'bold' }))] };
  const { text: plain, html } = writeMailBody({ text: 'Hello', formatted, signature: 'Ada' });
  expect(plain).toBe('Hello\n\n-- \nAda');
  expect(html).toMatch(
    /<div dir="auto"><div><strong>Hello<\/strong><\/div><\/div>\n<br><div [^>]*>-- <br>Ada</,
  );
});

test('lines without formatting are the same HTML as their text, but for the blocks', () => {
  const written = 'Hello  Ada,\n\n see https://a.test/x.\tBye';
  const plain = writeMailBody({ text: written, signature: null }).html;
  const lines = formattedHtml(formattedText(written)).split('\n');
  const unwrapped = lines.map((html) => html.replace(/^<div>(.*)<\/div>$/, '$1').replace(/^<br>$/, ''));
  expect(plain).toContain(unwrapped.join('<br>\n'));
});
