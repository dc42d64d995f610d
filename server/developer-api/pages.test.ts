import { describe, expect, test } from 'vitest';
import { COMPANY_NAME_MAX } from '#server/contacts/contact-fields.ts';
import { TAG_MAX_LENGTH } from '#server/contract/tag-list.ts';
import { encodeKey, keyPageOf, keyPageQuery, namedPageQuery } from '#server/developer-api/pages.ts';

const ID = '01a0b2c4-7f22-7b3c-9d4e-5f60718293a4';

describe('the cursor of a page is accepted after the longest name', () => {
  test.each(['a', 'ß', '株', '🚀'])('of characters such as %s', (character) => {
    const tag = character.repeat(TAG_MAX_LENGTH);
    expect(keyPageQuery.cursor.parse(encodeKey(tag))).toBe(tag);

    const position = { id: ID, key: character.repeat(COMPANY_NAME_MAX) };
    const { next_cursor } = keyPageOf(
      [1, 2].map((item) => ({ item, position })),
      1,
    );
    expect(namedPageQuery.cursor.parse(next_cursor)).toEqual(position);
  });
});

test('a text that is far longer than any cursor is refused', () => {
  const far = encodeKey('a'.repeat(10_000));
  for (const { cursor } of [keyPageQuery, namedPageQuery]) expect(cursor.safeParse(far).success).toBe(false);
});
