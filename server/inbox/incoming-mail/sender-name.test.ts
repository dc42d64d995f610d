import { expect, test } from 'vitest';
import { senderName } from '#server/inbox/incoming-mail/sender-name.ts';

test.for([
  ['Doe, Jane (ACME)', 'Jane', 'Doe (ACME)'],
  ['Doe, Jane', 'Jane', 'Doe'],
  ['van der Berg, Jan', 'Jan', 'van der Berg'],
  ['Müller, Anna Maria', 'Anna Maria', 'Müller'],
  ['Doe,  Jane  (ACME)', 'Jane', 'Doe (ACME)'],
  ["'Bo Lang'", 'Bo', 'Lang'],
  ['"Bo Lang"', 'Bo', 'Lang'],
  ['\'"Bo Lang"\'', 'Bo', 'Lang'],
  ['„Bo Lang“', 'Bo', 'Lang'],
  ['“Bo Lang”', 'Bo', 'Lang'],
  ['«Bo Lang»', 'Bo', 'Lang'],
  ["'Doe, Jane (ACME)'", 'Jane', 'Doe (ACME)'],
  // Not a whole name in quotation marks.
  ["'Bo' Lang", "'Bo'", 'Lang'],
  ['Bo "Bobby" Lang', 'Bo', '"Bobby" Lang'],
  ["Conan O'Brien", 'Conan', "O'Brien"],
  // No last and first name.
  ['Acme, Inc.', 'Acme,', 'Inc.'],
  ['Acme, Ltd', 'Acme,', 'Ltd'],
  ['Muster, GmbH & Co', 'Muster,', 'GmbH & Co'],
  ['King, Jr., Martin', 'King,', 'Jr., Martin'],
  ['Smith, PhD', 'Smith,', 'PhD'],
  ['Support, your friends at the Acme shop', 'Support,', 'your friends at the Acme shop'],
  ['Doe,Jane', 'Doe,Jane', null],
  [', Jane', ',', 'Jane'],
  ['Jane (ACME)', 'Jane', '(ACME)'],
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada', 'Ada', null],
  ["'", "'", null],
] as const)('%s', ([input, firstName, lastName]) => {
  expect(senderName(input)).toEqual({ firstName, lastName });
});

test.for(['', "''", '\u200b', '" "', '\u2066'])('%j is no name', (input) => {
  expect(senderName(input)).toBeUndefined();
});
