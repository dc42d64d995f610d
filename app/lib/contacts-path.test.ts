import { expect, test } from 'vitest';
import { contactPath, contactsPath, parseContactsView } from '#app/lib/contacts-path.ts';

test('parses its own URLs, with any search text', () => {
  const view = { search: 'a&b=ä #1 +49', company: '0193e1a0-0000-7000-8000-000000000001' };
  for (const path of [contactsPath(view), contactPath('7', view)]) {
    const query = new URL(path, 'http://localhost').searchParams;
    expect(parseContactsView(Object.fromEntries(query))).toEqual(view);
  }
});

test('omits defaults from the URL', () => {
  expect(contactsPath({ search: ' ', company: undefined })).toBe('/contacts');
  expect(contactPath('7')).toBe('/contacts/7');
  expect(parseContactsView({})).toEqual({ search: '', company: undefined });
  expect(parseContactsView({ search: ['first', 'second'], company: '' })).toEqual({
    search: 'first',
    company: undefined,
  });
});
