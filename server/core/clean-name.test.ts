import { expect, test } from 'vitest';
import { cleanName } from '#server/core/text.ts';

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Ada\r\nBcc: victim@bank.test', 'Ada Bcc: victim@bank.test'],
  ['Ada\u0000\u0007\tLovelace', 'Ada Lovelace'],
  ['Ada \u202egnp.exe\u202c', 'Ada  gnp.exe'],
  ['\u2066Ada\u2069', 'Ada'],
  ['\u200b\u200d\ufeff', ''],
  ['\u2800\u3164\u00ad', ''],
  ['\u202e\u202c', ''],
  ['  ', ''],
  // Joiners are part of names and emoji. Left-to-right marks reorder nothing.
  ['نیما\u200cراد', 'نیما\u200cراد'],
  ['👩\u200d💻', '👩\u200d💻'],
])('the name %j is stored as %j', (text, name) => {
  expect(cleanName(text)).toBe(name);
});
