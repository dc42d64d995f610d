import { expect, test } from 'vitest';
import { phoneKey } from '#server/contacts/phone-key.ts';

test.for([
  // Brazil: the ninth digit of mobile numbers.
  [
    'BR',
    '+5511987654321',
    ['+55 11 98765-4321', '551187654321', '(11) 98765-4321', '11 8765-4321', '011 98765-4321'],
  ],
  ['BR', '+551132654321', ['+55 11 3265-4321', '(11) 3265-4321']],
  // Mexico: the 1 before mobile numbers.
  ['MX', '+525512345678', ['+52 55 1234 5678', '+52 1 55 1234 5678', '55 1234 5678', '+5215512345678']],
  // Argentina: the 9 before mobile numbers, and their 15 within the country.
  ['AR', '+541123456789', ['+54 9 11 2345-6789', '+54 11 2345-6789', '011 15-2345-6789', '+5491123456789']],
  [
    'DE',
    '+491525763108',
    ['+49 (0) 152 5763108', '+491525763108', '0152 5763108', '0049 152 5763108', '0152/5763108'],
  ],
  ['IT', '+390612345678', ['+39 06 1234 5678', '06 1234 5678']],
  ['CH', '+41446681800', ['044 668 18 00', '+41 (0)44 668 18 00', '+41446681800']],
  ['US', '+16502530000', ['(650) 253-0000', '1-650-253-0000', '+1 650 253 0000', '650.253.0000']],
  ['GB', '+442071838750', ['020 7183 8750', '+44 (0)20 7183 8750', '00442071838750']],
  ['US', '+16502530000;ext=5', ['+1 650 253 0000 ext. 5', '(650) 253-0000 x5']],
] as const)('in %s, %s is the key of %j', ([country, key, phones]) => {
  for (const phone of phones) {
    const isBareId = /^\d{12,}$/.test(phone) && !phone.startsWith('00');
    expect([phone, phoneKey(isBareId ? `+${phone}` : phone, country)]).toEqual([phone, key]);
  }
});

test.for([
  ['0152 5763108', null],
  ['call me', 'DE'],
  ['', 'DE'],
  ['+', 'DE'],
  ['1', 'DE'],
  ['+49'.padEnd(60, '1'), 'DE'],
  ['0152 5763108', 'XX'],
  ['1'.repeat(1_000), 'DE'],
] as const)('%j in %s has no key', ([phone, country]) => {
  expect(phoneKey(phone, country)).toBeNull();
});

test('other numbers of Mexico, Brazil and Argentina stay apart', () => {
  const phones = [
    '+52 55 1234 5678',
    '+52 55 1234 5679',
    '+55 11 98765-4321',
    '+55 21 98765-4321',
    '+54 11 2345-6789',
  ];
  expect(new Set(phones.map((phone) => phoneKey(phone))).size).toBe(phones.length);
});
