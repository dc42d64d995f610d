import { describe, expect, test } from 'vitest';
import { refusalIn } from '#server/core/errors.ts';
import { parseContactForm, type TypedContact } from '#server/screens/contacts/save-contact.ts';

const EMOJI = '😀';

/** Returns the error messages of a form. */
function errorsOf(typed: TypedContact): unknown {
  try {
    parseContactForm(typed);
  } catch (error) {
    return refusalIn(error)?.errors;
  }
  return undefined;
}

test('values are trimmed, an address is lowercased, and missing fields stay unchanged', () => {
  expect(parseContactForm({ name: ' Ada ', email: ' ADA@Engines.test ', city: 'London' })).toEqual({
    fields: { name: 'Ada', email: 'ada@engines.test', city: 'London' },
    empty: [],
    company: undefined,
  });
});

test('blank fields are cleared', () => {
  expect(parseContactForm({ name: '', email: ' ', phone: '\t', city: '', language: '' })).toEqual({
    fields: {},
    empty: ['name', 'email', 'phone', 'city', 'language'],
    company: undefined,
  });
});

test('a company is given by id, by name, or null', () => {
  expect(parseContactForm({ company: { id: '7' } }).company).toEqual({ id: '7' });
  expect(parseContactForm({ company: { name: ' Engines ' } }).company).toEqual({ name: 'Engines' });
  expect(parseContactForm({ company: null }).company).toBeNull();
});

describe('each field has the API’s maximum length in code points', () => {
  test.each([
    ['name', 160, 'The name must be at most 160 characters.'],
    ['phone', 60, 'The phone number must be at most 60 characters.'],
    ['city', 120, 'The city must be at most 120 characters.'],
    ['language', 8, 'The language must be at most 8 characters.'],
  ])('%s: %i', (field, max, sentence) => {
    expect(parseContactForm({ [field]: EMOJI.repeat(max) }).fields).toEqual({ [field]: EMOJI.repeat(max) });
    expect(errorsOf({ [field]: EMOJI.repeat(max + 1) })).toEqual({ [field]: [sentence] });
  });

  test('email: 255', () => {
    const longest = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
    const address = longest.padStart(255, 'x');
    expect(parseContactForm({ email: address }).fields).toEqual({ email: address });
    expect(errorsOf({ email: `x${address}` })).toEqual({
      email: ['The email address must be at most 255 characters.'],
    });
  });
});

test('all invalid values are reported together, each under its field', () => {
  expect(errorsOf({ name: 'a\0', email: 'ada@', company: { name: ' ' } })).toEqual({
    name: ['The name contains a character that cannot be stored. Remove it.'],
    email: ['Enter a complete email address, for example ada@example.com.'],
    companyName: ['Enter the company name.'],
  });
  expect(errorsOf({ company: { name: EMOJI.repeat(161) } })).toEqual({
    companyName: ['The company name must be at most 160 characters.'],
  });
});
