import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { htmlLines } from '#server/inbox/mail-parser/html-lines.ts';
import { limitNesting } from '#server/inbox/mail-parser/limit-nesting.ts';
import { sanitizeMail } from '#server/inbox/mail-parser/sanitize-mail.ts';
import { millisecondsOf } from '#test/fixtures/processor-time.ts';

/** Returns how deeply the parser nests elements. */
function depthOf(html: string): number {
  let [depth, most] = [0, 0];
  const parser = new Parser({
    onopentag: () => {
      depth += 1;
      most = Math.max(most, depth);
    },
    onclosetag: () => {
      depth -= 1;
    },
  });
  parser.write(html);
  parser.end();
  return most;
}

const UNITS = [
  '<b>',
  '<div>',
  '<blockquote>a',
  '<ol><li>a',
  '<b></i>',
  '<div class="gmail_quote"><blockquote>a',
  '<table><tr><td>',
  '<li><p>',
  '<p><b>',
  '<a title=">">',
  '<b',
];

describe('an attacker’s nested HTML', () => {
  test.each(UNITS)('takes no more than the time of a page of its size: %s', (unit) => {
    const html = `Hello ${unit.repeat(Math.ceil(400_000 / unit.length))} bye`;
    const start = process.cpuUsage();
    const limited = limitNesting(html);
    expect(sanitizeMail(limited)).toContain('Hello');
    expect(htmlLines(limited)[0]?.text).toContain('Hello');
    expect(depthOf(limited)).toBeLessThanOrEqual(1_100);
    expect(millisecondsOf(process.cpuUsage(start))).toBeLessThan(3_000);
  });

  test('is as deep as the limit allows for any tags, and its text stays', () => {
    const tags = ['p', 'div', 'b', 'li', 'ol', 'table', 'tr', 'td', 'dd', 'h1', 'br', '/p', '/b', '/table'];
    const property = fc.property(
      fc.array(fc.constantFrom(...tags), { minLength: 2, maxLength: 6 }),
      (names) => {
        const unit = names.map((name) => `<${name}>`).join('');
        const limited = limitNesting(`${unit.repeat(2_000)}end`);
        expect(depthOf(limited)).toBeLessThanOrEqual(2_100);
        expect(limited).toMatch(/end$/);
      },
    );
    fc.assert(property, { numRuns: 40 });
  });
});

test.each([
  ['closed elements', '<div><p>Hello <b>there</b></p></div>\n'.repeat(3_000)],
  ['rows and cells without an end', `<table>${'<tr><td>a<td>b'.repeat(3_000)}</table>`],
  [
    'items and paragraphs without an end',
    `<ul>${'<li>a'.repeat(3_000)}</ul>${'<p>a<h2>b</h2>'.repeat(3_000)}`,
  ],
  ['breaks and pictures', '<br><img src="cid:a"><hr>'.repeat(3_000)],
  ['a thread of 100 replies', `${'<div class="gmail_quote"><blockquote><div>a'.repeat(100)}`],
])('HTML of mail programs is left as it is: %s', (_what, html) => {
  expect(limitNesting(html)).toBe(html);
});
