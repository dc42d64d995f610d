import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('an invalid address is refused', () => {
  test.for([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a b@example.com',
    'ada@exa mple.com',
    'a@b.test, c@d.test',
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com\r\nBcc: eve@evil.test',
    '\u0131da@example.com',
    '\u212ada@example.com',
    '😀@example.com',
  ])('%j', async (email, { connection, api }) => {
    const sentence = 'The email address (email) must be a valid email address, such as ada@example.com.';
    const { id } = await know(connection, { firstName: 'Known', email: 'known@example.com' });
    for (const [method, path] of [
      ['POST', '/contacts'],
      ['PATCH', `/contacts/${id}`],
    ] as const) {
      const { status, body } = await api(method, path, { name: 'Ada', email });
      expect({ status, body }).toEqual({
        status: 422,
        body: { message: sentence, errors: { email: [sentence] } },
      });
    }
    expect(await db().contact.findMany({ where: { workspaceId: connection.workspaceId } })).toMatchObject([
      { firstName: 'Known', email: 'known@example.com' },
    ]);
  });
});

describe('an address of another contact', () => {
  test.for([
    [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
    [{ firstName: 'Ada' }, 'Ada'],
    [{ lastName: 'Lovelace' }, 'Lovelace'],
    [{}, 'ada@example.com'],
  ] as const)(
    'is refused for a new contact, with the name of its owner: %j',
    async ([names, who], { connection, api }) => {
      await know(connection, { email: 'ada@example.com', ...names });
      for (const email of ['ada@example.com', ' ADA@Example.com ']) {
        const { status, body } = await api('POST', '/contacts', { name: 'Somebody Else', email });
        expect({ status, body }).toEqual({ status: 422, body: taken(who) });
      }
      expect(await db().contact.count({ where: { workspaceId: connection.workspaceId } })).toBe(1);
    },
  );

  test.for([
    [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
    [{}, 'ada@example.com'],
  ] as const)(
    'is refused for a known contact, which stays unchanged: %j',
    async ([names, who], { connection, api }) => {
      await know(connection, { email: 'ada@example.com', ...names });
      const known = await know(connection, { email: 'bob@example.com', firstName: 'Bob' });
      const { status, body } = await api('PATCH', `/contacts/${known.id}`, {
        name: 'Robert',
        email: 'ADA@example.com',
        city: 'London',
      });
      expect({ status, body }).toEqual({ status: 422, body: taken(who) });
      expect(await db().contact.findUnique({ where: { id: known.id } })).toEqual(known);
    },
  );

  test('is accepted for the contact that has it, in any case', async ({ connection, api }) => {
    const { id } = await know(connection, { email: 'ada@example.com' });
    const { status, body } = await api('PATCH', `/contacts/${id}`, {
      email: 'ADA@example.com',
      city: 'Paris',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, email: 'ada@example.com', city: 'Paris' });
  });

  test('is free again once that contact has another address', async ({ connection, api }) => {
    const { id } = await know(connection, { email: 'ada@example.com' });
    expect((await api('PATCH', `/contacts/${id}`, { email: 'countess@example.com' })).status).toBe(200);
    expect((await api('POST', '/contacts', { email: 'ada@example.com' })).status).toBe(201);
  });

  test('can be used in another workspace', async ({ service, api }) => {
    const abroad = await makeConnection();
    await db().contact.create({ data: { workspaceId: abroad.workspaceId, email: 'ada@example.com' } });
    const created = await api('POST', '/contacts', { email: 'ada@example.com' });
    expect(created.status).toBe(201);
    const moved = await apiClient(service.url, abroad.accessToken)('POST', '/contacts', { name: 'Bob' });
    const { id } = moved.body as { id: string };
    const refused = await apiClient(service.url, abroad.accessToken)('PATCH', `/contacts/${id}`, {
      email: 'ada@example.com',
    });
    expect(refused.body).toEqual(taken('ada@example.com'));
  });
});

const know = ({ workspaceId }: { workspaceId: string }, data: object) =>
  db().contact.create({ data: { workspaceId, ...data } });

const taken = (who: string) => {
  const sentence = `This address already belongs to ${who}.`;
  return { message: sentence, errors: { email: [sentence], email_duplicate: [sentence] } };
};
