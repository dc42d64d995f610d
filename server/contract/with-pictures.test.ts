import { describe, expect, test } from 'vitest';
import type { FormattedBlock, FormattedText } from '#server/contract/formatted-text.ts';
import { pictureIds } from '#server/contract/formatted-text.ts';
import { hasFormatting, plainText } from '#server/contract/plain-text.ts';
import { withPictures } from '#server/contract/with-pictures.ts';

const picture = (fileId: string): FormattedBlock => ({
  type: 'paragraph',
  content: [{ type: 'image', attrs: { fileId, alt: `${fileId}.png` } }],
});
const text: FormattedText = {
  type: 'doc',
  content: [
    picture('a'),
    { type: 'paragraph' },
    { type: 'codeBlock', content: [{ type: 'text', text: 'x' }] },
    {
      type: 'orderedList',
      attrs: { start: 1 },
      content: [
        {
          type: 'listItem',
          content: [
            picture('b'),
            { type: 'bulletList', content: [{ type: 'listItem', content: [picture('c')] }] },
          ],
        },
      ],
    },
  ],
};

describe('a formatted text whose pictures are limited to some files', () => {
  test('shows these files, and the names of the others, also in lists', () => {
    const limited = withPictures(text, ['a', 'c', 'd']);
    expect(pictureIds(limited)).toEqual(['a', 'c']);
    expect(plainText(limited)).toBe('[a.png]\n\nx\n1. [b.png]\n   - [c.png]');
    expect(plainText(limited)).toBe(plainText(text));
  });

  test('is the same JSON if it has only pictures of these files', () => {
    expect(JSON.stringify(withPictures(text, ['a', 'b', 'c']))).toBe(JSON.stringify(text));
  });

  test('has no formatting if a picture was all that it had', () => {
    const lone: FormattedText = { type: 'doc', content: [picture('a')] };
    expect([lone, withPictures(lone, [])].map(hasFormatting)).toEqual([true, false]);
  });
});
