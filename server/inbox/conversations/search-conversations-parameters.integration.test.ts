import { beforeAll, describe, expect, test } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const EMAIL = 'ada@example.com';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeAll(async () => {
  connection = await makeConnection();
  const { id: contactId } = await makeContact(connection.workspaceId, { email: EMAIL });
  id = await makeConversation(connection, { contactId });
});

/** Searches with an unencoded query string. */
async function search(query: string) {
  const { status, body } = await rawRequest(service.url, {
    method: 'GET',
    path: `${API_PATH}/conversations/search${query}`,
    headers: { authorization: `Bearer ${connection.accessToken}` },
  });
  return { status, body };
}

const NOTHING = { status: 200, body: [] };
const FOUND = { status: 200, body: [{ contact: { email: EMAIL } }] };
const refused = (field: string, sentence: string) => ({
  status: 422,
  body: { message: sentence, errors: { [field]: [sentence] } },
});

test.each([
  '',
  '?',
  '?&&',
  '?id=',
  '?id=&contact_email=',
  '?contact_email=%20',
  '?status=open',
  '?email=ada@example.com',
  '?ID=1',
])('without id and address the result is empty: %j', async (query) => {
  expect(await search(query)).toEqual(NOTHING);
});

describe('an invalid address finds nothing', () => {
  test.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'A <ada@example.com>',
    '😀@example.com',
  ])('%s', async (address) => {
    expect(await search(`?contact_email=${encodeURIComponent(address)}`)).toEqual(NOTHING);
  });

  test('an address can have 255 characters, and a longer one is refused', async () => {
    const address = (length: number) => `${'x'.repeat(length - '@example.com'.length)}@example.com`;
    const sentence = 'The contact’s email address (contact_email) must be at most 255 characters.';
    expect(await search(`?contact_email=${address(255)}`)).toEqual(NOTHING);
    expect(await search(`?contact_email=%20${address(255)}%20`)).toEqual(NOTHING);
    expect(await search(`?contact_email=${address(256)}`)).toEqual(refused('contact_email', sentence));
    expect(await search(`?contact_email=${'x'.repeat(256)}`)).toEqual(refused('contact_email', sentence));
  });
});

describe('an unknown status is refused', () => {
  const sentence = 'The status must be one of open, pending, solved, closed.';
  test.each(['Open', 'new', 'open,closed', 'null', '0', 'toString'])('%s', async (status) => {
    const wrong = refused('status', sentence);
    expect(await search(`?contact_email=${EMAIL}&status=${status}`)).toEqual(wrong);
    // The status is checked even if it is not used.
    expect(await search(`?id=${id}&status=${status}`)).toEqual(wrong);
    expect(await search(`?status=${status}`)).toEqual(wrong);
  });
});

describe('the last value of a repeated parameter is used', () => {
  const other = 'contact_email=grace@example.com';
  test('for the address', async () => {
    expect(await search(`?${other}&contact_email=${EMAIL}`)).toMatchObject(FOUND);
    expect(await search(`?contact_email=${EMAIL}&${other}`)).toEqual(NOTHING);
    expect(await search(`?contact_email[]=${EMAIL}`)).toEqual(NOTHING);
  });

  test('for the id and the status', async () => {
    expect(await search(`?id=42&id=${id}`)).toMatchObject(FOUND);
    expect(await search(`?id=${id}&id=42`)).toEqual(NOTHING);
    expect(await search(`?id=42&id=&contact_email=${EMAIL}`)).toMatchObject(FOUND);
    expect(await search(`?contact_email=${EMAIL}&status=wrong&status=open`)).toMatchObject(FOUND);
  });
});

describe('a character that cannot be stored is refused', () => {
  test.each([
    ['id', 'conversation id (id)'],
    ['contact_email', 'contact’s email address (contact_email)'],
    ['status', 'status'],
  ])('in %s', async (field, label) => {
    const sentence = `The ${label} contains a character that cannot be stored. Remove it.`;
    expect(await search(`?${field}=%00`)).toEqual(refused(field, sentence));
    expect(await search(`?${field}=a%00b`)).toEqual(refused(field, sentence));
  });
});

test.each(['%', '%E0%A4%A', '%zz', '%ff', '%ed%a0%80', '+', '%2B', '%25', '%c3%28'])(
  'invalid percent-encoding is handled like other text: %s',
  async (bytes) => {
    for (const field of ['id', 'contact_email']) expect(await search(`?${field}=${bytes}`)).toEqual(NOTHING);
    expect(await search(`?${bytes}=1&id=${id}&${bytes}`)).toMatchObject(FOUND);
    const status = (await search(`?contact_email=${EMAIL}&status=${bytes}`)).status;
    expect(status).toBe(bytes === '+' ? 200 : 422);
  },
);

test.each(['__proto__', 'constructor', 'toString', 'workspaceId', 'workspace_id', 'take', 'mergedIntoId'])(
  'an unknown parameter is ignored: %s',
  async (name) => {
    expect(await search(`?id=${id}&${name}=1&${name}[a]=1`)).toMatchObject(FOUND);
  },
);
