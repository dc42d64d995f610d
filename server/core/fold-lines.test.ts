import { expect, test } from 'vitest';
import { foldLines } from '#server/core/text.ts';

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Ada\nLovelace', 'Ada Lovelace'],
  ['x\r\nBcc: victim@example.com', 'x Bcc: victim@example.com'],
  ['a\n\n\r\nb\u2028c\u2029d\u0085e\vf\fg', 'a b c d e f g'],
  ['\r\n a \n', 'a'],
  ['two  spaces\tand a tab', 'two  spaces\tand a tab'],
  ['\n', ''],
])('%j becomes %j', (text, line) => {
  expect(foldLines(text)).toBe(line);
});
