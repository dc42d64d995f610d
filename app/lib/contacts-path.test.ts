import { expect, test } from 'vitest';
import { contactPath, contactsPath, readContactsView } from '#app/lib/contacts-path.ts';

test('a view survives its address, whatever was typed', () => {
  const view = { search: 'a&b=ä #1 +49', company: '0193e1a0-0000-7000-8000-000000000001' };
  for (const path of [contactsPath(view), contactPath('7', view)]) {
    const query = new URL(path, 'http://localhost').searchParams;
    expect(readContactsView(Object.fromEntries(query))).toEqual(view);
  }
});

test('everyone has the shortest address', () => {
  expect(contactsPath({ search: ' ', company: undefined })).toBe('/contacts');
  expect(contactPath('7')).toBe('/contacts/7');
  expect(readContactsView({})).toEqual({ search: '', company: undefined });
  expect(readContactsView({ search: ['first', 'second'], company: '' })).toEqual({
    search: 'first',
    company: undefined,
  });
});
