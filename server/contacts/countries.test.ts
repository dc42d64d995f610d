import { expect, test } from 'vitest';
import { COUNTRIES, countryOfTimeZone } from '#server/contacts/countries.ts';

test.for([
  ['Europe/Berlin', 'DE'],
  ['Europe/Busingen', 'DE'],
  ['America/Sao_Paulo', 'BR'],
  ['Europe/Kyiv', 'UA'],
  ['Europe/Kiev', 'UA'],
  ['Asia/Kolkata', 'IN'],
  ['America/Argentina/Buenos_Aires', 'AR'],
  ['US/Pacific', 'US'],
  ['europe/london', 'GB'],
  ['UTC', undefined],
  ['Etc/GMT+3', undefined],
  ['+02:00', undefined],
  ['Antarctica/Troll', undefined],
  ['Nowhere/Town', undefined],
  ['', undefined],
] as const)('the country of the time zone %s is %s', ([timeZone, code]) => {
  expect(countryOfTimeZone(timeZone)?.code).toBe(code);
});

test('every country has a name, and they are in the order of their names', () => {
  const names = COUNTRIES.map(({ name }) => name);
  expect(names).toContain('Germany');
  expect(COUNTRIES.filter(({ code, name }) => code === name)).toEqual([]);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en-GB')));
});
