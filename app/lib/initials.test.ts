import { expect, test } from 'vitest';
import { initials } from '#app/lib/initials.ts';

test.each([
  ['Olivia Owen', 'OO'],
  ['Aleksandra Wojciechowska-Nowak', 'AN'],
  ['Gustavo', 'G'],
  ['kv.peters@example.net', 'KN'],
  ['İlkay Öz', 'İÖ'],
  ['+44 7700 900655', '#'],
  ['…', ''],
  ['', ''],
])('abbreviates %s to %s', (name, short) => {
  expect(initials(name)).toBe(short);
});
