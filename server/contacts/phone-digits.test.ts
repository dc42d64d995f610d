import { expect, test } from 'vitest';
import { phoneDigits } from '#server/contacts/contact-fields.ts';

test.each([
  ['+44 20 7946-0018', '442079460018'],
  ['(020) 7946.0018 ext. 7', '020794600187'],
  ['0018', '0018'],
  ['+', null],
  ['ask at the desk', null],
  ['٠١٢ ４２', null],
])('the digits of %j are %j', (phone, digits) => {
  expect(phoneDigits(phone)).toBe(digits);
});
