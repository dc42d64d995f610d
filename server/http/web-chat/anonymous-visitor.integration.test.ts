import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { getContact, listContactConversations } from '#server/screens/contacts/get-contact.ts';
import { listContacts } from '#server/screens/contacts/list-contacts.ts';
import { updateFromForm } from '#server/screens/contacts/save-contact.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import { type makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/chat-test.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';

describe('a visitor without a name and an address', () => {
  test('is a contact without either, reported before the conversation', async ({
    workspaceId,
    newVisitor,
  }) => {
    const { contactId } = await write(await newVisitor(), 'Hello');
    const [contact, conversation, message, ...more] = await recordedEvents(workspaceId);
    expect(more).toEqual([]);
    const nobody = { id: contactId, name: null, first_name: null, last_name: null, email: null, phone: null };
    expect(contact).toMatchObject({ event: 'contact.created', contact: nobody });
    expect(conversation).toMatchObject({
      event: 'conversation.created',
      conversation: { contact: nobody },
    });
    expect(message).toMatchObject({ event: 'message.received', conversation: { contact: nobody } });
  });

  test('is one contact, reported once, even with simultaneous first messages', async ({
    workspaceId,
    newVisitor,
  }) => {
    const visitor = await newVisitor();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => visitor.write({ content: `Message ${n}` })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(await contactIds(workspaceId)).toHaveLength(1);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
    const events = (await recordedEvents(workspaceId)).map(({ event }) => event);
    expect(events.filter((event) => event === 'contact.created')).toHaveLength(1);
    expect(events.slice(0, 2)).toEqual(['contact.created', 'conversation.created']);
  });

  test('is labelled on screens with four characters of the id, and can be found by them', async ({
    workspaceId,
    newVisitor,
  }) => {
    const { id, contactId } = await write(await newVisitor(), 'Hello');
    const label = `Visitor ${contactId?.slice(-4)}`;
    const filter = { workspaceId };
    const { rows } = await listInbox(db(), { filter });
    expect(rows).toMatchObject([{ id, contactName: label, contactClaimed: false }]);
    expect((await listInbox(db(), { filter: { ...filter, search: label } })).rows).toHaveLength(1);
    expect(await getConversation(db(), { workspaceId, id })).toMatchObject({ contactName: label });
    expect((await listContacts(db(), { workspaceId, search: label })).rows).toMatchObject([
      { id: contactId, name: null, email: null, phone: null },
    ]);
    expect(await getContact(db(), { workspaceId, id: contactId ?? '', role: 'owner' })).toMatchObject({
      name: null,
      email: null,
    });
    const theirs = await listContactConversations(db(), { workspaceId, contactId: contactId ?? '' });
    expect(theirs.rows).toMatchObject([{ id, contactName: label }]);
  });

  test('can be read and completed through the API', async ({ api, newVisitor }) => {
    const { contactId } = await write(await newVisitor(), 'Hello');
    const samples = await api('GET', '/triggers/contact.created/samples');
    expect(samples.body).toMatchObject([{ contact: { id: contactId, name: null, email: null } }]);
    const email = newAddress();
    expect((await api('PATCH', `/contacts/${contactId}`, { city: 'London' })).status).toBe(200);
    expect((await api('PATCH', `/contacts/${contactId}`, { email })).status).toBe(200);
    expect((await api('GET', `/contacts/search?email=${email}`)).body).toMatchObject([
      { id: contactId, city: 'London' },
    ]);
  });

  test('can be edited by teammates, who need not add a name', async ({ workspaceId, newVisitor }) => {
    const { contactId } = await write(await newVisitor(), 'Hello');
    const actor = { kind: 'automatic' } as const;
    const which = { workspaceId, id: contactId ?? '', actor };
    expect(await updateFromForm(which, { city: 'London', name: '' })).toMatchObject({ kind: 'saved' });
    expect(await updateFromForm(which, { name: 'Ada' })).toMatchObject({ name: 'Ada' });
    await expect(updateFromForm(which, { name: '' })).rejects.toThrow('Keep at least one');
  });
});

describe('what a visitor enters later', () => {
  test('is stored on their contact, an address as unverified', async ({ workspaceId, newVisitor }) => {
    const visitor = await newVisitor();
    const { contactId } = await write(visitor, 'Hello');
    expect((await visitor.see()).isIntroduced).toBe(false);
    const named = await write(visitor, 'I am Ada', { name: 'Ada Lovelace' });
    expect(named).toMatchObject({ contactId, contactClaimed: false, contact: { firstName: 'Ada' } });
    const email = newAddress();
    const known = await write(visitor, 'Mail me', { name: 'Somebody else', email });
    expect(known).toMatchObject({
      contactId,
      contactClaimed: true,
      contact: { firstName: 'Ada', lastName: 'Lovelace', email: null, claimedEmail: email },
    });
    expect((await visitor.see()).isIntroduced).toBe(true);
    const events = (await recordedEvents(workspaceId)).map(({ event }) => event);
    expect(events.filter((event) => event === 'contact.created')).toHaveLength(1);
  });

  test('also marks their earlier conversations, which show the address now', async ({
    workspaceId,
    newVisitor,
    setStatus,
  }) => {
    const visitor = await newVisitor();
    const { id } = await write(visitor, 'Hello');
    await setStatus(id, 'closed');
    await write(visitor, 'Again', { email: newAddress() });
    expect(await db().conversation.count({ where: { workspaceId, contactClaimed: true } })).toBe(2);
  });

  test('never links to the contact with this address, in this conversation or the next', async ({
    workspaceId,
    newVisitor,
    setStatus,
  }) => {
    const email = newAddress();
    const ada = await receiveMessage(
      ...incoming(workspaceId, { contact: { fields: { name: 'Ada', email } } }),
    );
    const visitor = await newVisitor();
    const { id, contactId } = await write(visitor, 'Hello');
    const own = { contactId, contactClaimed: true, contact: { email: null, claimedEmail: email } };
    expect(await write(visitor, 'It is me', { name: 'Eve', email })).toMatchObject({ id, ...own });
    expect(contactId).not.toBe(ada.contactId);
    const { items, claim } = (await getConversation(db(), { workspaceId, id })) ?? { items: [] };
    expect(items).toContainEqual(
      expect.objectContaining({ sentence: expect.stringContaining(`${email}, which is not verified`) }),
    );
    expect(claim).toEqual({ email, owner: { id: ada.contactId, name: 'Ada' } });
    await setStatus(id, 'closed');
    expect(await write(visitor, 'Again')).toMatchObject(own);
  });

  test('is stored once in simultaneous requests', async ({ workspaceId, newVisitor }) => {
    const email = newAddress();
    const visitors = await Promise.all(Array.from({ length: 4 }, newVisitor));
    for (const visitor of visitors) await write(visitor, 'Hello');
    await Promise.all(
      visitors.flatMap((visitor) => [write(visitor, 'One', { email }), write(visitor, 'Two', { email })]),
    );
    const found = await db().conversation.findMany({ where: { workspaceId }, include: { contact: true } });
    expect(
      found.map(({ contact, contactClaimed }) => [contact?.email, contact?.claimedEmail, contactClaimed]),
    ).toEqual(Array(4).fill([null, email, true]));
    expect(await contactIds(workspaceId)).toHaveLength(4);
  });
});

describe('the attacker who claims an address later', () => {
  test('cannot change the contact with this address, whatever they enter next', async ({
    workspaceId,
    newVisitor,
  }) => {
    const email = newAddress();
    const ada = await receiveMessage(...incoming(workspaceId, { contact: { fields: { email } } }));
    const visitor = await newVisitor();
    await write(visitor, 'Hello', { email });
    await write(visitor, 'I am', { name: 'Mallory', email: newAddress() });
    expect(await db().contact.findUniqueOrThrow({ where: { id: ada.contactId ?? '' } })).toMatchObject({
      firstName: null,
      lastName: null,
      email,
    });
  });

  test('cannot claim an address of the team, and stays a separate contact', async ({
    connection,
    workspaceId,
    newVisitor,
  }) => {
    const visitor = await newVisitor();
    const { contactId } = await write(visitor, 'Hello');
    const { status } = await visitor.write({ content: 'I am you', email: connection.teammate.email });
    expect(status).toBe(422);
    expect(await contactIds(workspaceId)).toEqual([contactId]);
  });
});

type Visitor = Awaited<ReturnType<typeof makeChatVisitor>>;

/** Writes, and returns the conversation afterwards. */
async function write(visitor: Visitor, content: string, who: { name?: string; email?: string } = {}) {
  const { conversationId } = viewOf(await visitor.write({ content, ...who }));
  return db().conversation.findUniqueOrThrow({
    where: { id: conversationId ?? '' },
    include: { contact: true },
  });
}

const newAddress = () => `${randomUUID()}@example.com`;
const contactIds = async (workspaceId: string) =>
  (await db().contact.findMany({ where: { workspaceId } })).map(({ id }) => id);
