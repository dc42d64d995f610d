import { expect, test } from 'vitest';
import { checkMailShape } from '#server/inbox/mail-parser/check-mail-shape.ts';

const check = (text: string) => checkMailShape(Buffer.from(`From: a@b.test\r\n\r\n${text}`));

test('an attacker’s mail with 700,000 lines, or 20,000 parts, reaches no parser', () => {
  expect(check('=\r\n'.repeat(700_000))).toBe('too_many_lines');
  expect(check('--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(20_000))).toBe('too_many_parts');
});

test('a long text, and a file of 10 MB in base64, are parsed', () => {
  expect(check('A line of a log that someone sends.\r\n'.repeat(40_000))).toBeNull();
  expect(check(`${'A'.repeat(60)}\r\n`.repeat(160_000))).toBeNull();
});
