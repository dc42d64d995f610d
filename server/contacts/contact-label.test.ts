import { describe, expect, test } from 'vitest';
import { contactLabel } from '#server/contacts/contact-label.ts';

const NOBODY = {
  id: '019f5c3e-7a10-7c3a-9d52-3f0b8e6a4d21',
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
};

describe('contact label', () => {
  test.each([
    [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }, 'Ada Lovelace'],
    [{ lastName: 'Lovelace' }, 'Lovelace'],
    [{ email: 'ada@example.com', phone: '123' }, 'ada@example.com'],
    [{ phone: '123' }, '123'],
    [{}, 'Visitor 4d21'],
  ])('%o', (known, label) => {
    expect(contactLabel({ ...NOBODY, ...known })).toBe(label);
  });

  test('accepts the name in one string', () => {
    const { id, email, phone } = NOBODY;
    expect(contactLabel({ id, email, phone, name: 'Ada' })).toBe('Ada');
    expect(contactLabel({ id, email, phone, name: null })).toBe('Visitor 4d21');
  });
});
