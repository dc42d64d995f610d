import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a search returns 200 with complete Contacts and nothing else', async ({ connection, api }) => {
  const id = await know(connection, {
    email: 'ada@example.com',
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
  });
  const { status, body } = await api('GET', '/contacts/search?email=ada@example.com');
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      id,
      name: 'Ada',
      first_name: 'Ada',
      last_name: null,
      email: 'ada@example.com',
      phone: null,
      city: null,
      language: null,
      company: null,
      created_at: '2026-01-02T03:04:05.678+00:00',
      url: `http://inbox.test/contacts/${id}`,
    },
  ]);
});

describe('by email', () => {
  test.for(['ada@example.com', 'ADA@EXAMPLE.COM', ' Ada@Example.com '])(
    '%j finds the address',
    async (email, { connection, api }) => {
      const id = await know(connection, { email: 'ada@example.com' });
      await know(connection, { email: 'ada@example.org' });
      expect(await search(api, { email })).toEqual([id]);
    },
  );

  test.for([
    'ada',
    'ada@example',
    '@',
    'a%a@example.com',
    'ada@example.com,',
    '\u212ada@example.com',
    '😀',
    '*',
  ])('%j finds no one', async (email, { connection, api }) => {
    await know(connection, { email: 'ada@example.com', phone: '7' });
    await know(connection, { email: 'kda@example.com' });
    await know(connection, {});
    expect(await search(api, { email })).toEqual([]);
    expect(await search(api, { email, phone: '7' })).toEqual([]);
  });
});

describe('by phone', () => {
  const FORMS = [
    '+44 20 7946-0018',
    '442079460018',
    '+442079460018',
    '(44) 20.7946.0018',
    '44 20 7946 00 18',
  ];
  test.for(FORMS)('%j finds the same digits, whatever the format', async (phone, { connection, api }) => {
    const ids = [];
    for (const stored of FORMS) ids.unshift(await know(connection, { phone: stored }));
    for (const other of ['+44 20 7946 00', '0044 20 7946 0018', '020 7946 0018'])
      await know(connection, { phone: other });
    expect(await search(api, { phone })).toEqual(ids);
  });

  test('an unencoded leading + is a space and does not matter', async ({ connection, api }) => {
    const id = await know(connection, { phone: '+44 20' });
    expect((await api('GET', '/contacts/search?phone=+4420')).body).toMatchObject([{ id }]);
  });

  test.for(['+', '- -', 'ask', '٠١٢', '%'])(
    '%j has no digits and finds no one',
    async (phone, { connection, api }) => {
      await know(connection, { phone, email: 'ada@example.com' });
      await know(connection, {});
      expect(await search(api, { phone })).toEqual([]);
      expect(await search(api, { phone, email: 'ada@example.com' })).toEqual([]);
    },
  );

  test('returns the newest ten of eleven contacts, newest first, ties by id', async ({ connection, api }) => {
    const ids: string[] = [];
    for (let age = 11; age > 0; age -= 1) {
      // Pairs share a timestamp and the oldest are created last, so that the order is by created_at and not
      // by id.
      const createdAt = new Date(Date.UTC(2026, 0, 20 - Math.floor((12 - age) / 2)));
      ids.push(await know(connection, { phone: '+44 7', createdAt }));
    }
    const expected = (
      await db().contact.findMany({
        where: { workspaceId: connection.workspaceId },
        select: { id: true, createdAt: true },
      })
    )
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    expect(expected).not.toEqual(ids.toReversed());
    expect(await search(api, { phone: '447' })).toEqual(expected.slice(0, 10));
  });
});

test('with both parameters a contact must match both', async ({ connection, api }) => {
  const both = await know(connection, { email: 'ada@example.com', phone: '+44 7' });
  const bob = await know(connection, { email: 'bob@example.com', phone: '447' });
  await know(connection, { email: 'carl@example.com', phone: '448' });
  expect(await search(api, { email: 'ADA@example.com', phone: '44-7' })).toEqual([both]);
  expect(await search(api, { email: 'carl@example.com', phone: '447' })).toEqual([]);
  expect(await search(api, { email: '', phone: '447' })).toEqual([bob, both]);
  expect(await search(api, { email: 'ada@example.com', phone: ' ' })).toEqual([both]);
});

test('contacts of another workspace and of AI agent tests are never found', async ({ connection, api }) => {
  const abroad = await makeConnection();
  const both = { email: 'ada@example.com', phone: '+44 7' };
  await know(connection, { ...both, workspaceId: abroad.workspaceId });
  await know(connection, { phone: '447', isTest: true });
  await know(connection, { email: 'test@example.com', isTest: true });
  expect(await search(api, both)).toEqual([]);
  expect(await search(api, { email: both.email })).toEqual([]);
  expect(await search(api, { phone: '447' })).toEqual([]);
  expect(await search(api, { email: 'test@example.com' })).toEqual([]);
});

test('a contact that was just created or changed is found', async ({ api }) => {
  const { body } = await api('POST', '/contacts', { email: 'new@example.com', phone: '+1 (555) 0100' });
  const { id } = body as { id: string };
  expect(await search(api, { email: 'NEW@example.com', phone: '15550100' })).toEqual([id]);
  await api('PATCH', `/contacts/${id}`, { phone: '1 555 0199' });
  expect(await search(api, { phone: '15550100' })).toEqual([]);
  expect(await search(api, { phone: '+15550199' })).toEqual([id]);
});

const digitsOf = (phone: string) => phone.replaceAll(/\D/g, '') || null;

const know = async (
  { workspaceId }: { workspaceId: string },
  { phone, ...data }: { phone?: string; [column: string]: unknown },
) => {
  const phones = phone === undefined ? {} : { phone, phoneDigits: digitsOf(phone) };
  return (await db().contact.create({ data: { workspaceId, firstName: 'Ada', ...phones, ...data } })).id;
};

const search = async (api: ReturnType<typeof apiClient>, query: Record<string, string>) => {
  const { status, body } = await api('GET', `/contacts/search?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return (body as { id: string }[]).map(({ id }) => id);
};
