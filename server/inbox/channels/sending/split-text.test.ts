import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitText } from '#server/inbox/channels/sending/split-text.ts';

test('a short text and an empty text are one part', () => {
  expect(splitText('Hello', 10)).toEqual(['Hello']);
  expect(splitText('', 10)).toEqual(['']);
});

test.each([
  ['between paragraphs', 'One two.\n\nThree four.', 15, ['One two.', 'Three four.']],
  ['between lines', 'One two three\nfour five six', 20, ['One two three', 'four five six']],
  ['after a sentence', 'One two. Three four? Five.', 21, ['One two. Three four?', 'Five.']],
  ['between words', 'one two three four', 10, ['one two', 'three four']],
  ['anywhere as a last resort', 'xxxxxxxxxxxx', 5, ['xxxxx', 'xxxxx', 'xx']],
])('a long text is split %s', (_where, text, maxLength, parts) => {
  expect(splitText(text, maxLength)).toEqual(parts);
});

test('for any text, the parts fit, no character is split, and only white space is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 20, max: 60 }),
      (text, maxLength) => {
        const whole = text.toWellFormed();
        const parts = splitText(whole, maxLength);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(maxLength);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(parts.join('').replaceAll(/\s/g, '')).toBe(whole.replaceAll(/\s/g, ''));
      },
    ),
  );
});
