import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { API_PATH } from '#server/core/env.ts';
import { rawRequest } from '#test/clients/raw-request.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { refused } from '#test/fixtures/refused.ts';

const EMAIL = 'ada@example.com';
const test = conversationTest
  .extend('contactId', ({ connection }) => makeAda(connection))
  .extend(
    'make',
    ({ connection, contactId }) =>
      (columns: ConversationColumns = {}) =>
        makeConversation(connection, { contactId, ...columns }),
  )
  .extend('conversation', ({ make }) => make());

test('a search returns the same Conversation as PATCH', async ({ api, make }) => {
  const id = await make({ resolvedAt: minute(1), status: 'solved' });
  const { body } = await api('PATCH', `/conversations/${id}`, { priority: 'urgent' });
  expect(await search(api, { id })).toEqual([body]);
  expect(await search(api, { contact_email: EMAIL })).toEqual([body]);
  expect(body).toMatchObject({ id, priority: 'urgent', contact: { email: EMAIL }, tags: ['Shipping'] });
});

describe('by id', () => {
  test('a conversation is found, with the id in upper case too', async ({ api, make }) => {
    const [id] = [await make(), await make()];
    expect(await found(api, { id })).toEqual([id]);
    expect(await found(api, { id: id.toUpperCase() })).toEqual([id]);
    expect(await found(api, { id: ` ${id} ` })).toEqual([id]);
  });

  test('a conversation without contact, assignee and team is found', async ({ api, make }) => {
    const nobody = { contactId: null, assigneeId: null, assignedAt: null, teamId: null };
    const [conversation] = await search(api, { id: await make(nobody) });
    expect(conversation).toMatchObject({ contact: null, assignee: null, team: null });
  });

  test('nothing is found for an id that is unknown, invalid, merged or of another workspace', async ({
    api,
    contactId,
    make,
  }) => {
    const id = await make();
    const merged = await make({ mergedIntoId: id });
    const { id: foreign, contactId: stranger } = await makeStranger();
    const others = [randomUUID(), merged, foreign, foreign.toUpperCase(), stranger, contactId];
    for (const other of [...others, '42', `${id}0`, `{${id}}`, "' or 1=1 --", 'x'.repeat(5_000)]) {
      expect(await found(api, { id: other }), other.slice(0, 50)).toEqual([]);
    }
  });

  test('the id takes precedence over the address and the status', async ({ api, connection, make }) => {
    const id = await make({ status: 'open' });
    const contact = await makeContact(connection.workspaceId, { email: 'grace@example.com' });
    const grace = await make({ contactId: contact.id });
    expect(await found(api, { id: grace, contact_email: EMAIL })).toEqual([grace]);
    expect(await found(api, { id, contact_email: 'grace@example.com', status: 'closed' })).toEqual([id]);
    expect(await found(api, { id: randomUUID(), contact_email: EMAIL })).toEqual([]);
    expect(await found(api, { id: 'no id', contact_email: EMAIL })).toEqual([]);
    expect(await found(api, { id: '', contact_email: EMAIL })).toEqual([id]);
    expect(await found(api, { id: ' ', contact_email: EMAIL })).toEqual([id]);
  });
});

describe('by the address of the contact', () => {
  test('the contact’s conversations are found in any letter case, newest first', async ({
    api,
    connection,
    make,
  }) => {
    const [oldest, newest, middle] = [
      await make({ createdAt: minute(1), lastMessageAt: minute(9) }),
      await make({ createdAt: minute(3) }),
      await make({ createdAt: minute(2), status: 'closed', channel: 'slack' }),
    ];
    await makeConversation(connection);
    await make({ contactId: null });
    for (const contact_email of [EMAIL, 'ADA@Example.COM', ` ${EMAIL} `]) {
      expect(await found(api, { contact_email })).toEqual([newest, middle, oldest]);
    }
  });

  test('at most ten are found, and merged ones do not count', async ({ api, make }) => {
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1) ids.unshift(await make({ createdAt: minute(number) }));
    const mergedIntoId = ids[0] ?? null;
    for (let number = 20; number < 23; number += 1) await make({ createdAt: minute(number), mergedIntoId });
    expect(await found(api, { contact_email: EMAIL })).toEqual(ids.slice(0, 10));
    expect(await found(api, { contact_email: EMAIL, status: 'open' })).toEqual(ids.slice(0, 10));
  });

  test('conversations with the same timestamp are sorted by creation, newest first', async ({
    api,
    make,
  }) => {
    const ids = [await make(), await make(), await make()];
    expect(await found(api, { contact_email: EMAIL })).toEqual(ids.toReversed());
  });

  test('a status filter uses the current status', async ({ api, make }) => {
    const statuses = ['open', 'pending', 'solved', 'closed'] as const;
    const ids = await Promise.all(statuses.map((status) => make({ status })));
    for (const [index, status] of statuses.entries()) {
      expect(await found(api, { contact_email: EMAIL, status })).toEqual([ids[index]]);
    }
    await db().conversation.updateMany({ where: { status: 'open' }, data: { status: 'pending' } });
    expect(await found(api, { contact_email: EMAIL, status: 'open' })).toEqual([]);
    expect(await found(api, { contact_email: EMAIL, status: 'pending' })).toHaveLength(2);
    expect(await found(api, { contact_email: EMAIL, status: '' })).toHaveLength(4);
  });

  test('conversations of another workspace or of a similar address are never found', async ({
    api,
    make,
  }) => {
    await makeStranger();
    expect(await found(api, { contact_email: EMAIL })).toEqual([]);
    await make();
    for (const contact_email of [
      'ada@example.co',
      'da@example.com',
      'ada@example.com.test',
      '%@example.com',
    ]) {
      expect(await found(api, { contact_email })).toEqual([]);
    }
  });
});

test.for([
  '',
  '?',
  '?&&',
  '?id=',
  '?id=&contact_email=',
  '?contact_email=%20',
  '?status=open',
  '?email=ada@example.com',
  '?ID=1',
])('without id and address the result is empty: %j', async (query, { service, connection }) => {
  expect(await searchRaw(service, connection, query)).toEqual(NOTHING);
});

describe('an invalid address finds nothing', () => {
  test.for([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'A <ada@example.com>',
    '😀@example.com',
  ])('%s', async (address, { service, connection }) => {
    expect(await searchRaw(service, connection, `?contact_email=${encodeURIComponent(address)}`)).toEqual(
      NOTHING,
    );
  });

  test('an address can have 255 characters, and a longer one is refused', async ({ service, connection }) => {
    const address = (length: number) => `${'x'.repeat(length - '@example.com'.length)}@example.com`;
    const sentence = 'The contact’s email address (contact_email) must be at most 255 characters.';
    expect(await searchRaw(service, connection, `?contact_email=${address(255)}`)).toEqual(NOTHING);
    expect(await searchRaw(service, connection, `?contact_email=%20${address(255)}%20`)).toEqual(NOTHING);
    expect(await searchRaw(service, connection, `?contact_email=${address(256)}`)).toEqual(
      refused('contact_email', sentence),
    );
    expect(await searchRaw(service, connection, `?contact_email=${'x'.repeat(256)}`)).toEqual(
      refused('contact_email', sentence),
    );
  });
});

describe('an unknown status is refused', () => {
  const sentence = 'The status must be one of open, pending, solved, closed.';
  test.for(['Open', 'new', 'open,closed', 'null', '0', 'toString'])(
    '%s',
    async (status, { service, connection, conversation: id }) => {
      const wrong = refused('status', sentence);
      expect(await searchRaw(service, connection, `?contact_email=${EMAIL}&status=${status}`)).toEqual(wrong);
      // The status is checked even if it is not used.
      expect(await searchRaw(service, connection, `?id=${id}&status=${status}`)).toEqual(wrong);
      expect(await searchRaw(service, connection, `?status=${status}`)).toEqual(wrong);
    },
  );
});

describe('the last value of a repeated parameter is used', () => {
  const other = 'contact_email=grace@example.com';
  test('for the address', async ({ service, connection, conversation: _ }) => {
    expect(await searchRaw(service, connection, `?${other}&contact_email=${EMAIL}`)).toMatchObject(FOUND);
    expect(await searchRaw(service, connection, `?contact_email=${EMAIL}&${other}`)).toEqual(NOTHING);
    expect(await searchRaw(service, connection, `?contact_email[]=${EMAIL}`)).toEqual(NOTHING);
  });

  test('for the id and the status', async ({ service, connection, conversation: id }) => {
    expect(await searchRaw(service, connection, `?id=42&id=${id}`)).toMatchObject(FOUND);
    expect(await searchRaw(service, connection, `?id=${id}&id=42`)).toEqual(NOTHING);
    expect(await searchRaw(service, connection, `?id=42&id=&contact_email=${EMAIL}`)).toMatchObject(FOUND);
    expect(
      await searchRaw(service, connection, `?contact_email=${EMAIL}&status=wrong&status=open`),
    ).toMatchObject(FOUND);
  });
});

describe('a character that cannot be stored is refused', () => {
  test.for<[string, string]>([
    ['id', 'conversation id (id)'],
    ['contact_email', 'contact’s email address (contact_email)'],
    ['status', 'status'],
  ])('in %s', async ([field, label], { service, connection }) => {
    const sentence = `The ${label} contains a character that cannot be stored. Remove it.`;
    expect(await searchRaw(service, connection, `?${field}=%00`)).toEqual(refused(field, sentence));
    expect(await searchRaw(service, connection, `?${field}=a%00b`)).toEqual(refused(field, sentence));
  });
});

test.for(['%', '%E0%A4%A', '%zz', '%ff', '%ed%a0%80', '+', '%2B', '%25', '%c3%28'])(
  'invalid percent-encoding is handled like other text: %s',
  async (bytes, { service, connection, conversation: id }) => {
    for (const field of ['id', 'contact_email'])
      expect(await searchRaw(service, connection, `?${field}=${bytes}`)).toEqual(NOTHING);
    expect(await searchRaw(service, connection, `?${bytes}=1&id=${id}&${bytes}`)).toMatchObject(FOUND);
    const status = (await searchRaw(service, connection, `?contact_email=${EMAIL}&status=${bytes}`)).status;
    expect(status).toBe(bytes === '+' ? 200 : 422);
  },
);

test.for(['__proto__', 'constructor', 'toString', 'workspaceId', 'workspace_id', 'take', 'mergedIntoId'])(
  'an unknown parameter is ignored: %s',
  async (name, { service, connection, conversation: id }) => {
    expect(await searchRaw(service, connection, `?id=${id}&${name}=1&${name}[a]=1`)).toMatchObject(FOUND);
  },
);

async function search(api: Api, query: Record<string, string>): Promise<{ id: string }[]> {
  const { status, body } = await api('GET', `/conversations/search?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body as { id: string }[];
}

const found = async (api: Api, query: Record<string, string>) =>
  (await search(api, query)).map(({ id }) => id);

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number));

/** Creates a contact with the address `EMAIL` and returns its id. */
async function makeAda({ workspaceId }: Connected): Promise<string> {
  return (await makeContact(workspaceId, { email: EMAIL })).id;
}

/** Creates another workspace with a conversation of a contact with the same address. */
async function makeStranger() {
  const other = await makeConnection();
  const contactId = await makeAda(other);
  return { contactId, id: await makeConversation(other, { contactId }) };
}

/** Searches with an unencoded query string. */
async function searchRaw(service: { url: string }, connection: Connected, query: string) {
  const { status, body } = await rawRequest(service.url, {
    method: 'GET',
    path: `${API_PATH}/conversations/search${query}`,
    headers: { authorization: `Bearer ${connection.accessToken}` },
  });
  return { status, body };
}

const NOTHING = { status: 200, body: [] };

const FOUND = { status: 200, body: [{ contact: { email: EMAIL } }] };
