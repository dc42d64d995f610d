import { expect, test } from 'vitest';
import { languageChoices, languageName } from '#app/components/contacts/languages.ts';

test.each([
  ['de', 'German'],
  ['pt-BR', 'Brazilian Portuguese'],
  ['klingon?', 'klingon?'],
])('%s is shown as %s', (code, name) => {
  expect(languageName(code)).toBe(name);
});

test('lists the common languages and the contact’s language once, by name', () => {
  const names = languageChoices('').map(({ name }) => name);
  expect(names).toContain('German');
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en-GB')));
  expect(languageChoices('de')).toEqual(languageChoices(''));
  expect(languageChoices('fr-CA')).toContainEqual({ code: 'fr-CA', name: 'Canadian French' });
  expect(languageChoices('fr-CA')).toHaveLength(names.length + 1);
});
