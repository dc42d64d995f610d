import { describe, expect, test } from 'vitest';
import { changedValues, sentValues, shownValues } from '#app/components/contacts/contact-values.ts';

const company = { id: '0193e1a0-0000-7000-8000-000000000001', name: 'Engines' };
const ada = {
  id: '0193e1a0-0000-7000-8000-000000000002',
  name: 'Ada Lovelace',
  email: 'ada@engines.test',
  claimedEmail: null,
  phone: null,
  city: 'London',
  language: 'en',
  company,
  createdAt: new Date(0),
};

describe('the form of an existing contact', () => {
  test('sends no unchanged values', () => {
    expect(send(ada, {})).toEqual({});
    expect(send(ada, { name: ' Ada Lovelace ' })).toEqual({});
  });

  test('sends changed values, and an empty string for cleared ones', () => {
    expect(send(ada, { name: 'Ada King', city: '', phone: '+44 7' })).toEqual({
      name: 'Ada King',
      city: '',
      phone: '+44 7',
    });
  });

  test('sends a listed language, none, or a typed code', () => {
    expect(send(ada, { language: 'de' })).toEqual({ language: 'de' });
    expect(send(ada, { language: '' })).toEqual({ language: '' });
    expect(send(ada, { language: 'other', languageCode: 'gsw' })).toEqual({ language: 'gsw' });
    expect(send(ada, { language: 'other', languageCode: 'en' })).toEqual({});
  });

  test('refuses another language without a code, which would clear the language', () => {
    for (const languageCode of ['', ' ']) {
      expect(() => send(ada, { language: 'other', languageCode })).toThrow(
        expect.objectContaining({ errors: { languageCode: ['Enter a language code, or choose Unknown.'] } }),
      );
    }
  });

  test('sends another company, a new one or none', () => {
    expect(send(ada, { company: 'x' })).toEqual({ company: { id: 'x' } });
    expect(send(ada, { company: 'new', companyName: 'Northwind' })).toEqual({
      company: { name: 'Northwind' },
    });
    expect(send(ada, { company: 'none' })).toEqual({ company: null });
  });
});

test('the form of a new contact sends typed values, and a company only if one was chosen', () => {
  expect(send(null, { name: 'Ada', email: 'ada@engines.test' })).toEqual({
    name: 'Ada',
    email: 'ada@engines.test',
  });
  expect(send(null, { name: 'Ada', company: company.id })).toEqual({
    name: 'Ada',
    company: { id: company.id },
  });
  expect(send(null, { name: 'Ada', company: 'none' })).toEqual({ name: 'Ada', company: null });
});

function send(contact: typeof ada | null, values: Record<string, string>) {
  const shown = shownValues(contact);
  return changedValues(shown, sentValues(formOf({ ...shown, ...values })), values.companyName ?? '');
}

function formOf(values: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}
