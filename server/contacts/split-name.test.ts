import { expect, test } from 'vitest';
import { splitName } from '#server/contacts/contact-fields.ts';

test.each([
  ['Ada', 'Ada', null],
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada King Lovelace', 'Ada', 'King Lovelace'],
  ['Ada  Lovelace', 'Ada', 'Lovelace'],
  ['Ada-King Lovelace', 'Ada-King', 'Lovelace'],
  ['陽子 😀', '陽子', '😀'],
])('%j is split into %j and %j', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName });
});
