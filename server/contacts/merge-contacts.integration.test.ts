import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest
  .extend('merge', ({ connection: { workspaceId, teammate } }) => async (id: string, intoId: string) => {
    await mergeContacts({ workspaceId, id, intoId, actor: { kind: 'teammate', teammate } });
  })
  .extend('ada', ({ connection: { workspaceId } }) => makeContact(workspaceId, ADA))
  .extend('twin', ({ connection: { workspaceId } }) => makeContact(workspaceId, TWIN));

describe('a merge', () => {
  test('moves conversations, identities and visitors, and leaves nothing at the old contact', async ({
    connection,
    merge,
    ada,
    twin,
  }) => {
    const { workspaceId } = connection;
    const conversation = await makeConversation(connection, { contactId: twin.id });
    await db().contactIdentity.create({
      data: { workspaceId, contactId: twin.id, channel: 'telegram', externalId: '7' },
    });
    const tokenHash = Buffer.from(randomUUID());
    await db().visitor.create({ data: { workspaceId, contactId: twin.id, tokenHash } });
    await merge(twin.id, ada.id);
    expect((await db().conversation.findUniqueOrThrow({ where: { id: conversation } })).contactId).toBe(
      ada.id,
    );
    expect((await db().visitor.findUniqueOrThrow({ where: { tokenHash } })).contactId).toBe(ada.id);
    const identities = await db().contactIdentity.findMany({ where: { workspaceId } });
    expect(
      identities.map(({ contactId, channel, externalId }) => [contactId, channel, externalId]).sort(),
    ).toEqual([
      [ada.id, 'email', 'ada@work.test'],
      [ada.id, 'telegram', '7'],
    ]);
    expect(await db().contact.count({ where: { id: twin.id } })).toBe(0);
    expect(await recordedEvents(workspaceId)).toEqual([]);
    expect(await db().auditEntry.findMany({ where: { workspaceId, kind: 'contacts_merged' } })).toMatchObject(
      [
        {
          userId: connection.teammate.id,
          data: { contactId: twin.id, contactName: 'Countess', intoId: ada.id },
        },
      ],
    );
  });

  test('retains the fields of the remaining contact and fills the empty ones', async ({
    merge,
    ada,
    twin,
  }) => {
    await merge(twin.id, ada.id);
    expect(await db().contact.findUnique({ where: { id: ada.id } })).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@home.test',
      phone: '1',
      city: 'London',
      companyId: ada.company?.id,
    });
  });

  test('gives an address to a contact without one', async ({ connection, merge, ada }) => {
    const { workspaceId } = connection;
    const nameless = await makeContact(workspaceId, { firstName: null, lastName: null, email: null });
    await merge(ada.id, nameless.id);
    expect(await db().contact.findUnique({ where: { id: nameless.id } })).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@home.test',
    });
    expect(await db().contactIdentity.count({ where: { workspaceId } })).toBe(0);
  });

  test('is refused for unknown, foreign and test contacts, and for one contact', async ({
    connection,
    merge,
    ada,
  }) => {
    const abroad = await makeContact((await makeConnection()).workspaceId);
    const tested = await makeContact(connection.workspaceId, { isTest: true, email: null });
    for (const other of [randomUUID(), 'x', abroad.id, tested.id]) {
      await expect(merge(other, ada.id)).rejects.toMatchObject({ refusal: 'not_found' });
      await expect(merge(ada.id, other)).rejects.toMatchObject({ refusal: 'not_found' });
    }
    await expect(merge(ada.id, ada.id.toUpperCase())).rejects.toMatchObject({ refusal: 'invalid' });
    expect(await db().contactAlias.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  });
});

describe('the old id', () => {
  test('reads and changes the remaining contact in the API', async ({ api, merge, ada, twin }) => {
    await merge(twin.id, ada.id);
    for (const body of [{ city: 'Paris' }, {}, { email: 'ada@new.test' }]) {
      expect(await api('PATCH', `/contacts/${twin.id.toUpperCase()}`, body)).toMatchObject({
        status: 200,
        body: { id: ada.id, name: 'Ada Lovelace', ...body },
      });
    }
    expect(await api('PATCH', `/contacts/${twin.id}`, { language: 'much too long' })).toMatchObject({
      status: 422,
      body: { errors: { language: [expect.any(String)] } },
    });
  });

  test('leads to the end of a chain of merges', async ({ connection, api, merge, ada, twin }) => {
    const last = await makeContact(connection.workspaceId, { city: null });
    await merge(twin.id, ada.id);
    await merge(twin.id, last.id);
    for (const { id } of [ada, twin]) {
      expect(await api('PATCH', `/contacts/${id}`, {})).toMatchObject({ status: 200, body: { id: last.id } });
    }
    const aliases = await db().contactAlias.findMany({ where: { workspaceId: connection.workspaceId } });
    expect(aliases.map(({ contactId }) => contactId)).toEqual([last.id, last.id]);
  });

  test('is unknown to other workspaces', async ({ api, merge, ada, twin, connection }) => {
    const abroad = await makeConnection();
    await db().contactAlias.create({
      data: {
        id: randomUUID(),
        workspaceId: abroad.workspaceId,
        contactId: (await makeContact(abroad.workspaceId)).id,
      },
    });
    await merge(twin.id, ada.id);
    const [theirs] = await db().contactAlias.findMany({ where: { workspaceId: abroad.workspaceId } });
    expect((await api('PATCH', `/contacts/${theirs?.id}`, { city: 'Paris' })).status).toBe(404);
    expect(connection.workspaceId).not.toBe(abroad.workspaceId);
  });
});

describe('the address of the merged contact', () => {
  test('still belongs to the person: mail, searches and new conversations find the remaining contact', async ({
    connection,
    api,
    merge,
    ada,
    twin,
  }) => {
    const { workspaceId } = connection;
    await merge(twin.id, ada.id);
    const contact = { fields: { email: 'ada@work.test' } };
    const received = await receiveMessage(...incoming(workspaceId, { channel: 'email', contact }));
    expect(received.contactId).toBe(ada.id);
    const found = await api('GET', '/contacts/search?email=ADA@work.test');
    expect(found.body).toMatchObject([{ id: ada.id, email: 'ada@home.test' }]);
    const conversations = await api('GET', '/conversations/search?contact_email=ada@work.test');
    expect(conversations.body).toMatchObject([{ id: received.conversationId }]);
    const started = await api('POST', '/conversations', {
      to_email: 'ada@work.test',
      subject: 'Order',
      content: 'Hello',
    });
    expect(started).toMatchObject({ status: 201, body: { contact: { id: ada.id } } });
  });

  test('is refused for other contacts, and accepted for the remaining one', async ({
    connection,
    api,
    merge,
    ada,
    twin,
  }) => {
    await merge(twin.id, ada.id);
    const taken = {
      status: 422,
      body: { errors: { email_duplicate: ['This address already belongs to Ada Lovelace.'] } },
    };
    const email = 'ada@work.test';
    expect(await api('POST', '/contacts', { email })).toMatchObject(taken);
    const other = await makeContact(connection.workspaceId);
    expect(await api('PATCH', `/contacts/${other.id}`, { email })).toMatchObject(taken);
    expect((await db().contact.findUniqueOrThrow({ where: { id: other.id } })).email).toBe(other.email);
    expect(await api('PATCH', `/contacts/${twin.id}`, { email })).toMatchObject({
      status: 200,
      body: { id: ada.id, email },
    });
  });
});

const ADA = { email: 'ada@home.test', phone: '1', phoneDigits: '1' };
const TWIN = { firstName: 'Countess', lastName: null, email: 'ada@work.test', city: 'London' };
