import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('known', { scope: 'file' }, ({ service }) => makeKnown(service.url));
const EMAIL = 'ada@example.com';

describe('without criteria a search finds no one', () => {
  test.for([
    '',
    '?',
    '?email',
    '?email=&phone=',
    '?email=%20&phone=%09',
    '?Email=ada@example.com',
    '?name=Ada',
  ])('%j', async (query, { known }) => {
    expect(await known.search(query)).toEqual(NOBODY);
  });
});

describe('a parameter at its limit is accepted, and over it refused', () => {
  const tooLong = {
    email: 'The email address (email) must be at most 255 characters.',
    phone: 'The phone number (phone) must be at most 60 characters.',
  };
  test.for([
    ['email', `${'x'.repeat(243)}@example.com`, 255],
    ['email', '😀'.repeat(255), 255],
    ['phone', '7'.repeat(60), 60],
    ['phone', '😀'.repeat(60), 60],
  ] as const)('%s %s', async ([field, longest, length], { known }) => {
    expect([...longest]).toHaveLength(length);
    expect(await known.search(`?${field}=${encodeURIComponent(longest)}`)).toEqual(NOBODY);
    expect(await known.search(`?${field}=%20${encodeURIComponent(longest)}%20`)).toEqual(NOBODY);
    const longer = encodeURIComponent(`x${longest}`);
    expect(await known.search(`?${field}=${longer}`)).toEqual(refused({ [field]: tooLong[field] }));
  });

  test('both are reported together', async ({ known }) => {
    const query = `?phone=${'7'.repeat(61)}&email=${'x'.repeat(256)}`;
    expect(await known.search(query)).toEqual(refused(tooLong));
  });
});

describe('special characters', () => {
  test.for(['%00', 'a%00b', 'ada@example.com%00', '447%00'])(
    'U+0000 in %s is refused',
    async (text, { known }) => {
      expect(await known.search(`?email=${text}`)).toEqual(
        refused({
          email: 'The email address (email) contains a character that cannot be stored. Remove it.',
        }),
      );
      expect(await known.search(`?phone=${text}`)).toEqual(
        refused({ phone: 'The phone number (phone) contains a character that cannot be stored. Remove it.' }),
      );
    },
  );

  test.for(['%', '%zz', '%e0%a4', '%ff', '%ed%a0%80', '%u0041', '%F0%9F%98%80', '%5B%5D', '%2527'])(
    'the escape %s causes no server error, and matches no contact',
    async (escaped, { known }) => {
      expect(await known.search(`?email=ada${escaped}@example.com&phone=${escaped}`)).toEqual(NOBODY);
      expect(await known.search(`?email=${escaped}`)).toEqual(NOBODY);
    },
  );

  test('unnecessary escapes are decoded', async ({ known }) => {
    expect(await known.search('?%65mail=%61da%40example%2Ecom')).toMatchObject({
      status: 200,
      body: [{ id: known.id }],
    });
  });
});

describe('the last of a duplicate parameter counts', () => {
  test.for([
    [`?email=bob@example.com&email=${EMAIL}`, true],
    [`?email=${EMAIL}&email=bob@example.com`, false],
    ['?phone=1&phone=447', true],
    ['?phone=447&phone=1', false],
    [`?email=${'x'.repeat(256)}&email=${EMAIL}`, true],
    [`?email=${EMAIL}&email=`, false],
  ] as const)('%j', async ([query, found], { known }) => {
    expect(await known.search(query)).toMatchObject({ status: 200, body: found ? [{ id: known.id }] : [] });
  });
});

test.for([
  '&page=2',
  '&limit=0',
  '&id=x',
  '&__proto__=x',
  '&constructor=x',
  '&toString',
  '&email[]=x',
  '&%00=%00',
])('the unknown parameter in %j is ignored', async (more, { known }) => {
  expect(await known.search(`?email=${EMAIL}${more}`)).toMatchObject({
    status: 200,
    body: [{ id: known.id }],
  });
});

const refused = (errors: Record<string, string>) => ({
  status: 422,
  body: {
    message: Object.values(errors)[0],
    errors: Object.fromEntries(Object.entries(errors).map(([field, sentence]) => [field, [sentence]])),
  },
});

const NOBODY = { status: 200, body: [] };

/** Creates a contact, and a search that sends its query string without encoding it. */
async function makeKnown(url: string) {
  const { workspaceId, accessToken } = await makeConnection();
  const data = { workspaceId, email: EMAIL, phone: '+44 7', phoneDigits: '447' };
  const { id } = await db().contact.create({ data });
  return {
    id,
    search: async (query: string) => {
      const path = `${API_PATH}/contacts/search${query}`;
      const headers = { authorization: `Bearer ${accessToken}` };
      const { status, body } = await rawRequest(url, { method: 'GET', path, headers });
      return { status, body };
    },
  };
}
