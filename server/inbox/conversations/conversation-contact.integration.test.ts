import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';

test('an unknown address becomes a contact with the given name, and contact.created is the first event', async ({
  api,
  connection,
}) => {
  const contact = await contactOf(api, 'Grace@Example.com', ' Grace Brewster Hopper ');
  expect(contact).toMatchObject({
    name: 'Grace Brewster Hopper',
    first_name: 'Grace',
    last_name: 'Brewster Hopper',
    email: 'grace@example.com',
  });
  expect(await eventKeys(connection)).toEqual([
    'contact.created',
    'conversation.created',
    'conversation.assigned',
  ]);
});

test.for([undefined, null, '', '   '])(
  'the contact has no name when the call gives %j',
  async (name, { api }) => {
    expect(await contactOf(api, 'grace@example.com', name)).toMatchObject({
      name: null,
      first_name: null,
      last_name: null,
    });
  },
);

test('a name of one word is a first name', async ({ api }) => {
  expect(await contactOf(api, 'grace@example.com', 'Grace')).toMatchObject({
    first_name: 'Grace',
    last_name: null,
  });
});

test('an existing contact is found in any letter case and keeps its name', async ({ api, connection }) => {
  const known = await db().contact.create({
    data: { workspaceId: connection.workspaceId, email: 'ada@example.com', firstName: 'Ada' },
  });
  const contact = await contactOf(api, 'ADA@Example.com', 'Somebody Else');
  expect(contact).toMatchObject({ id: known.id, name: 'Ada' });
  expect(await contacts(connection)).toHaveLength(1);
  expect(await eventKeys(connection)).toEqual(['conversation.created', 'conversation.assigned']);
});

test('a contact of another workspace with the same address is a different contact', async ({ api }) => {
  const other = await makeConnection();
  const abroad = await db().contact.create({
    data: { workspaceId: other.workspaceId, email: 'ada@example.com', firstName: 'Abroad' },
  });
  const contact = await contactOf(api, 'ada@example.com');
  expect(contact.id).not.toBe(abroad.id);
  expect(contact.name).toBeNull();
});

test('a new contact is linked to the workspace’s company with the domain of the address', async ({
  api,
  connection,
}) => {
  const company = (workspaceId: string, name: string, domain: string) =>
    db().company.create({ data: { workspaceId, name, domains: { create: { domain } } } });
  const { id } = await company(connection.workspaceId, 'Example Inc.', 'example.com');
  await company((await makeConnection()).workspaceId, 'Abroad Inc.', 'abroad.test');

  expect((await contactOf(api, 'ada@EXAMPLE.com')).company).toEqual({ id, name: 'Example Inc.' });
  expect((await contactOf(api, 'ada@sub.example.com')).company).toBeNull();
  expect((await contactOf(api, 'ada@abroad.test')).company).toBeNull();
});

test('parallel calls for one new address create one contact, one contact.created and a conversation each', async ({
  api,
  connection,
}) => {
  const found = await Promise.all(
    Array.from({ length: 6 }, () => contactOf(api, 'race@example.com', 'Ray Race')),
  );
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
  expect(await contacts(connection)).toHaveLength(1);
  const { workspaceId } = connection;
  expect(await db().conversation.count({ where: { workspaceId, contactId: found[0]?.id ?? '' } })).toBe(6);
  expect((await eventKeys(connection)).filter((key) => key === 'contact.created')).toHaveLength(1);
});

type Contact = { id: string; name: string | null; email: string; company: unknown };

/** Starts a conversation with an address and returns its contact. */
async function contactOf(api: Api, to_email: string, to_name?: string | null): Promise<Contact> {
  const { status, body } = await api('POST', '/conversations', {
    to_email,
    to_name,
    subject: 'A',
    content: 'B',
  });
  expect(status).toBe(201);
  return (body as { contact: Contact }).contact;
}

const contacts = (connection: Connected) =>
  db().contact.findMany({ where: { workspaceId: connection.workspaceId } });

const eventKeys = async (connection: Connected) => {
  const { workspaceId } = connection;
  return (await db().event.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } })).map(
    ({ key }) => key,
  );
};
