import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

test('a first message creates the contact, the conversation and the message', async ({ connection }) => {
  const { workspaceId } = connection;
  const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  const company = await db().company.create({
    data: { workspaceId, name: 'Engines', domains: { create: { domain: 'engines.example' } } },
  });
  const received = await receive(connection, {
    channel: 'email',
    contact: {
      fields: { name: 'Ada King Lovelace', email: 'ada@engines.example', phone: '+44 20', city: 'London' },
    },
    subject: '  My order ',
    mailboxId: mailbox.id,
    externalThreadId: 'thread-1',
    content: ' Where is it?\n',
    attachments: await Promise.all([1, 2].map(() => storeBytes(workspaceId))),
    externalId: '<1@engines.example>',
  });
  const conversation = await db().conversation.findUniqueOrThrow({
    where: { id: received.conversationId },
    include: { contact: true, messages: true, timeline: true },
  });
  expect(conversation).toMatchObject({
    workspaceId,
    channel: 'email',
    subject: 'My order',
    status: 'open',
    priority: 'normal',
    assigneeId: null,
    teamId: null,
    mailboxId: mailbox.id,
    externalThreadId: 'thread-1',
    aiAgentSilenced: false,
    isTest: false,
    contact: {
      id: received.contactId,
      firstName: 'Ada',
      lastName: 'King Lovelace',
      email: 'ada@engines.example',
      phone: '+44 20',
      phoneDigits: '4420',
      city: 'London',
      companyId: company.id,
      isTest: false,
    },
    timeline: [{ kind: 'created', actorKind: 'contact', actorName: null, data: {} }],
    messages: [
      {
        id: received.messageId,
        direction: 'inbound',
        authorKind: 'contact',
        authorId: null,
        content: ' Where is it?\n',
        attachmentsCount: 2,
        sendStatus: null,
        externalId: '<1@engines.example>',
      },
    ],
  });
  const { createdAt } = conversation;
  for (const at of [conversation.statusChangedAt, conversation.lastMessageAt, conversation.updatedAt])
    expect(at).toEqual(createdAt);
  expect(conversation.messages[0]?.createdAt).toEqual(createdAt);
});

describe('the sender', () => {
  const contactOf = async (connection: Connected, fields: Incoming) => {
    const { contactId } = await receive(connection, fields);
    return contactId === null ? null : db().contact.findUniqueOrThrow({ where: { id: contactId } });
  };

  test('is the contact known to the channel', async ({ connection }) => {
    const contact = await makeContact(connection.workspaceId);
    expect(await contactOf(connection, { contact: { id: contact.id } })).toMatchObject({ id: contact.id });
  });

  test('is the contact with the same address, who keeps name and phone', async ({ connection }) => {
    const contact = await makeContact(connection.workspaceId);
    const fields = { name: 'Somebody Else', email: contact.email ?? '', phone: '1' };
    expect(await contactOf(connection, { contact: { fields } })).toMatchObject({
      id: contact.id,
      firstName: 'Ada',
      phone: null,
    });
  });

  test('is a new contact each time without an address', async ({ connection }) => {
    const contact = { fields: { phone: '+44 20 7946', language: 'en' } };
    const [one, other] = [await contactOf(connection, { contact }), await contactOf(connection, { contact })];
    expect(one).toMatchObject({ phone: '+44 20 7946', language: 'en', email: null });
    expect(other?.id).not.toBe(one?.id);
  });

  test('is a new contact each time without identifying fields', async ({ connection }) => {
    const nobody = { firstName: null, lastName: null, email: null, phone: null };
    expect(await contactOf(connection, { contact: { fields: {} } })).toMatchObject(nobody);
    expect(await contactOf(connection, { contact: { fields: { city: 'London' } } })).toMatchObject({
      ...nobody,
      city: 'London',
    });
    expect(await db().contact.count({ where: { workspaceId: connection.workspaceId } })).toBe(2);
  });

  test('is never a contact of another workspace', async ({ connection }) => {
    const contact = await makeContact((await makeConnection()).workspaceId);
    await expect(receive(connection, { contact: { id: contact.id } })).rejects.toThrow();
    const fields = { email: contact.email ?? '' };
    expect((await receive(connection, { contact: { fields } })).contactId).not.toBe(contact.id);
  });
});

describe('a message in a conversation', () => {
  test.for([
    ['open', []],
    ['pending', ['status_changed']],
    ['solved', ['status_changed']],
  ] as const)(
    'that is %s stays in it, and the conversation is open',
    async ([status, kinds], { connection }) => {
      const id = await makeConversation(connection, { status });
      const before = await storedConversation(id);
      const received = await receive(connection, {
        conversationId: id,
        contact: { fields: { name: 'Somebody' } },
      });
      expect(received).toEqual({
        messageId: expect.any(String),
        conversationId: id,
        contactId: before.contactId,
      });
      const after = await db().conversation.findUniqueOrThrow({
        where: { id },
        include: { messages: true, timeline: true },
      });
      expect(after).toMatchObject({ status: 'open', messages: [{ id: received.messageId }] });
      expect(after.timeline.map(({ kind }) => kind)).toEqual(kinds);
      expect(after.timeline.every(({ actorKind }) => actorKind === 'automatic')).toBe(true);
      expect(after.lastMessageAt.getTime()).toBeGreaterThan(before.lastMessageAt.getTime());
      expect(after.updatedAt).toEqual(after.lastMessageAt);
      expect(after.statusChangedAt).toEqual(status === 'open' ? before.statusChangedAt : after.lastMessageAt);
      expect(after).toMatchObject({
        priority: before.priority,
        teamId: before.teamId,
        assigneeId: before.assigneeId,
        resolvedAt: before.resolvedAt,
      });
      expect([
        await count(connection),
        await db().contact.count({ where: { workspaceId: connection.workspaceId } }),
      ]).toEqual([1, 1]);
    },
  );

  test('that is closed starts a new conversation of the same contact', async ({ connection }) => {
    const id = await makeConversation(connection, { status: 'closed' });
    const before = await storedConversation(id);
    const received = await receive(connection, { conversationId: id, subject: 'Again', channel: 'email' });
    expect(received.conversationId).not.toBe(id);
    expect(received.contactId).toBe(before.contactId);
    expect(await storedConversation(received.conversationId)).toMatchObject({
      status: 'open',
      channel: 'email',
      subject: 'Again',
      contactId: before.contactId,
      assigneeId: null,
      resolvedAt: null,
    });
    expect(await storedConversation(id)).toEqual(before);
    expect(await db().contact.count({ where: { workspaceId: connection.workspaceId } })).toBe(1);
  });

  test('that is closed and has no contact starts a new conversation of the sender', async ({
    connection,
  }) => {
    const id = await makeConversation(connection, { status: 'closed', contactId: null });
    const { contactId } = await receive(connection, {
      conversationId: id,
      contact: { fields: { name: 'Ada' } },
    });
    expect(await db().contact.findUnique({ where: { id: contactId ?? '' } })).toMatchObject({
      firstName: 'Ada',
    });
  });

  test.for(['open', 'pending', 'solved'] as const)(
    'that was merged is added to the merge target, which is %s and then open',
    async (status, { connection }) => {
      const [merged, into] = [
        await makeConversation(connection),
        await makeConversation(connection, { status }),
      ];
      await mergeAs(connection, merged, into);
      const before = await storedConversation(merged);
      expect(await receive(connection, { conversationId: merged })).toMatchObject({ conversationId: into });
      expect((await storedConversation(into)).status).toBe('open');
      expect(await storedConversation(merged)).toEqual(before);
      expect(await db().message.count({ where: { conversationId: merged } })).toBe(0);
    },
  );

  test('that was merged twice is added to the last target', async ({ connection }) => {
    const [first, second, last] = [
      await makeConversation(connection),
      await makeConversation(connection),
      await makeConversation(connection),
    ];
    await mergeAs(connection, first, second);
    await mergeAs(connection, second, last);
    expect(await receive(connection, { conversationId: first })).toMatchObject({ conversationId: last });
  });

  test('that was merged into one that is closed now starts a new conversation of the same contact', async ({
    connection,
  }) => {
    const [merged, into] = [await makeConversation(connection), await makeConversation(connection)];
    await mergeAs(connection, merged, into);
    await db().conversation.update({ where: { id: into }, data: { status: 'closed' } });
    const received = await receive(connection, { conversationId: merged });
    expect([merged, into]).not.toContain(received.conversationId);
    expect(received.contactId).toBe((await storedConversation(merged)).contactId);
    expect(received.contactId).not.toBe((await storedConversation(into)).contactId);
  });

  test.for(['an invalid id', 'an unknown id', 'an id of another workspace'])(
    'that does not exist is refused, and nothing is stored: %s',
    async (what, { connection }) => {
      const conversationId =
        what === 'an invalid id'
          ? 'thread-1'
          : what === 'an unknown id'
            ? randomUUID()
            : await makeConversation(await makeConnection());
      await expect(receive(connection, { conversationId })).rejects.toMatchObject({
        refusal: 'not_found',
        message: 'The conversation was not found.',
      });
      expect(await count(connection)).toBe(0);
    },
  );
});

test('the thread shows the contact who started the conversation and the message', async ({ connection }) => {
  const { conversationId } = await receive(connection, { content: 'Hello' });
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id: conversationId });
  expect(view?.contactName).toBe('Ada Lovelace');
  expect(view?.items).toHaveLength(2);
  expect(view?.items).toContainEqual(
    expect.objectContaining({
      kind: 'entry',
      sentence: 'Ada Lovelace started this conversation',
      quote: null,
    }),
  );
  expect(view?.items).toContainEqual(
    expect.objectContaining({ kind: 'message', fromContact: true, content: 'Hello' }),
  );
});

const receive = (connection: Connected, fields: Incoming = {}) =>
  receiveMessage(...incoming(connection.workspaceId, fields));

const count = (connection: Connected) =>
  db().conversation.count({ where: { workspaceId: connection.workspaceId } });
