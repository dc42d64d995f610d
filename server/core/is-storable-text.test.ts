import { expect, test } from 'vitest';
import { isStorableText } from '#server/core/text.ts';

test.each(['', 'Ada', 'Grüße', '日本語', '😀', '👩‍👩‍👧', '\u0001', 'line\nline', '\ufeff', '\uffff'])(
  'a database can hold %j',
  (text) => {
    expect(isStorableText(text)).toBe(true);
  },
);

test.each(['\0', 'Ada\0', '\ud83d', 'Ada\ud83d', '\ude00', '\ude00\ud83d', '😀\ude00'])(
  'a database cannot hold %j unchanged',
  (text) => {
    expect(isStorableText(text)).toBe(false);
  },
);
