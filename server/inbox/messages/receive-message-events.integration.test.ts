import { describe, expect } from 'vitest';
import { contactRecord, contactSelect } from '#server/contacts/contact-record.ts';
import { db } from '#server/core/database/prisma.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { eventsToFanOut, recordedEvents } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeContact, makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

describe('the events of a message', () => {
  test('of a new contact: the contact, the conversation, then the message, with their records', async ({
    connection,
  }) => {
    const { workspaceId } = connection;
    const attachments = await Promise.all([1, 2, 3].map(() => storeBytes(workspaceId)));
    const received = await receive(connection, { content: 'Hello\n', attachments });
    const { conversationId, contactId, messageId } = received;
    const conversation = await recordOf(conversationId);
    const contact = contactRecord(
      await db().contact.findUniqueOrThrow({ where: { id: contactId ?? '' }, select: contactSelect }),
    );
    const { createdAt } = await db().message.findUniqueOrThrow({ where: { id: messageId } });
    const envelope = { id: expect.any(String), occurred_at: timestamp(createdAt) };
    expect(await recordedEvents(workspaceId)).toEqual([
      { ...envelope, event: 'contact.created', contact },
      { ...envelope, event: 'conversation.created', conversation },
      {
        ...envelope,
        event: 'message.received',
        conversation,
        message: {
          id: messageId,
          content: 'Hello\n',
          created_at: timestamp(createdAt),
          attachments_count: 3,
        },
      },
    ]);
    expect(conversation.contact).toEqual(contact);
    expect(await eventsToFanOut()).toEqual((await recordedEvents(workspaceId)).map(({ id }) => id));
  });

  test('of a known contact: no contact.created', async ({ connection }) => {
    const contact = await makeContact(connection.workspaceId);
    await receive(connection, { contact: { id: contact.id } });
    await receive(connection, { contact: { fields: { email: contact.email ?? '' } } });
    expect(await keys(connection)).toEqual([
      'conversation.created',
      'message.received',
      'conversation.created',
      'message.received',
    ]);
  });

  test('of an unknown sender: first the contact, without name and address', async ({ connection }) => {
    await receive(connection, { contact: { fields: {} } });
    const contact = { id: expect.any(String), name: null, email: null, phone: null };
    expect(await recordedEvents(connection.workspaceId)).toMatchObject([
      { event: 'contact.created', contact },
      { event: 'conversation.created', conversation: { contact } },
      { event: 'message.received', conversation: { contact } },
    ]);
  });

  test('in an open conversation: only the message', async ({ connection }) => {
    await receive(connection, { conversationId: await makeConversation(connection) });
    expect(await keys(connection)).toEqual(['message.received']);
  });

  test.for(['pending', 'solved'] as const)(
    'in a conversation that is %s: the change to open, then the message',
    async (status, { connection }) => {
      await receive(connection, { conversationId: await makeConversation(connection, { status }) });
      expect(await recordedEvents(connection.workspaceId)).toMatchObject([
        {
          event: 'conversation.status_changed',
          previous_status: status,
          conversation: { status: 'open' },
        },
        { event: 'message.received', conversation: { status: 'open' } },
      ]);
    },
  );

  test('in a closed conversation: the new conversation, then the message in it', async ({ connection }) => {
    const { conversationId } = await receive(connection, {
      conversationId: await makeConversation(connection, { status: 'closed' }),
    });
    expect(await recordedEvents(connection.workspaceId)).toMatchObject([
      { event: 'conversation.created', conversation: { id: conversationId, status: 'open' } },
      { event: 'message.received', conversation: { id: conversationId } },
    ]);
  });
});

describe('the assignee', () => {
  test('is notified that the contact wrote', async ({ connection }) => {
    const { messageId, conversationId } = await receive(connection, {
      conversationId: await makeConversation(connection),
    });
    expect(await notifications(connection)).toMatchObject([
      { userId: connection.teammate.id, kind: 'contact_wrote', conversationId, data: { messageId } },
    ]);
  });

  test('reads who wrote, if somebody else did, such as a person in a thread or in copy', async ({
    connection: { workspaceId, teammate },
  }) => {
    const conversationId = await makeConversation({ workspaceId, teammate });
    const contact = await makeContact(workspaceId);
    await receiveMessage(...incoming(workspaceId, { conversationId, contact, senderName: 'Bob Bridges' }));
    const { notifications: bell } = await (await signInTeammate(teammate))();
    expect((await bell.list()).newest).toMatchObject([{ sentence: 'Bob Bridges wrote in “Order”.' }]);
  });

  test('of the merge target is notified, not that of the merged conversation', async ({ connection }) => {
    const ben = await makeUser('Ben');
    await addMember(connection.workspaceId, ben.id, 'agent');
    const mergedIntoId = await makeConversation(connection, { assigneeId: ben.id });
    await receive(connection, { conversationId: await makeConversation(connection, { mergedIntoId }) });
    expect(await notifications(connection)).toMatchObject([{ userId: ben.id, conversationId: mergedIntoId }]);
  });

  test('does not exist in an unassigned conversation, so no one is notified', async ({ connection }) => {
    await receive(connection);
    await receive(connection, {
      conversationId: await makeConversation(connection, { assigneeId: null, assignedAt: null }),
    });
    expect(await notifications(connection)).toEqual([]);
  });
});

describe('the SLA clocks', () => {
  const limit = (
    connection: Connected,
    slaFirstResponseMinutes: number | null,
    slaResolutionMinutes: number | null,
  ) =>
    db().workspace.update({
      where: { id: connection.workspaceId },
      data: { slaFirstResponseMinutes, slaResolutionMinutes },
    });
  const clocksOf = (conversationId: string) =>
    db().slaClock.findMany({ where: { conversationId }, orderBy: { kind: 'asc' } });

  test.for<[number | null, number | null]>([
    [30, 240],
    [30, null],
    [null, 240],
    [null, null],
  ])(
    'of %s and %s minutes start with a conversation that a contact starts',
    async ([firstResponse, resolution], { connection }) => {
      await limit(connection, firstResponse, resolution);
      const { conversationId } = await receive(connection);
      const { createdAt } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
      const clock = (kind: string, minutes: number | null) =>
        minutes === null
          ? []
          : [
              {
                workspaceId: connection.workspaceId,
                kind,
                startedAt: createdAt,
                dueAt: new Date(createdAt.getTime() + minutes * 60_000),
                pausedAt: null,
                stoppedAt: null,
                breachedAt: null,
              },
            ];
      const expected = [...clock('first_response', firstResponse), ...clock('resolution', resolution)];
      const clocks = await clocksOf(conversationId);
      expect(clocks).toHaveLength(expected.length);
      expect(clocks).toMatchObject(expected);
    },
  );

  test('resume when a message reopens a conversation, and no new clock starts', async ({ connection }) => {
    await limit(connection, 30, 240);
    const conversationId = await makeConversation(connection, { status: 'pending' });
    const pausedAt = new Date(Date.now() - 3_600_000);
    await db().slaClock.create({
      data: {
        workspaceId: connection.workspaceId,
        conversationId,
        kind: 'resolution',
        startedAt: pausedAt,
        dueAt: new Date(pausedAt.getTime() + 60_000),
        pausedAt,
      },
    });
    await receive(connection, { conversationId });
    expect(await clocksOf(conversationId)).toMatchObject([{ kind: 'resolution', pausedAt: null }]);
    await receive(connection, { conversationId });
    expect(await clocksOf(conversationId)).toHaveLength(1);
  });
});

describe('a message that tests the AI agent', () => {
  const expectNoEffects = async (connection: Connected) => {
    const { workspaceId } = connection;
    expect(await db().event.count({ where: { workspaceId } })).toBe(0);
    expect(await db().sample.count({ where: { workspaceId } })).toBe(0);
    expect(await db().slaClock.count({ where: { workspaceId } })).toBe(0);
    expect(await notifications(connection)).toEqual([]);
    // The only job removes the test.
    const jobs = new Set((await queuedJobs()).map(({ task }) => task));
    expect([...jobs]).toEqual(['remove-test-conversation']);
  };
  test.beforeEach(async ({ connection: { workspaceId: id } }) => {
    await db().workspace.update({
      where: { id },
      data: { slaFirstResponseMinutes: 30, slaResolutionMinutes: 240 },
    });
  });

  test('starts a test conversation with a test contact and notifies no one', async ({ connection }) => {
    const { conversationId, contactId } = await receive(connection, { isTest: true });
    const conversation = await db().conversation.findUniqueOrThrow({
      where: { id: conversationId },
      include: { contact: true },
    });
    expect(conversation).toMatchObject({ isTest: true, contact: { id: contactId, isTest: true } });
    await expectNoEffects(connection);
  });

  test('does not change a real contact or reserve its address', async ({ connection }) => {
    const contact = await makeContact(connection.workspaceId);
    const fields = { name: 'Tester', email: contact.email ?? '' };
    const { contactId } = await receive(connection, { isTest: true, contact: { fields } });
    expect(contactId).not.toBe(contact.id);
    const fresh = { email: 'new@example.com' };
    await receive(connection, { isTest: true, contact: { fields: fresh } });
    const real = await receive(connection, { contact: { fields: fresh } });
    expect(await db().contact.findUnique({ where: { id: real.contactId ?? '' } })).toMatchObject({
      email: 'new@example.com',
      isTest: false,
    });
    expect((await keys(connection))[0]).toBe('contact.created');
  });

  test.for(['open', 'pending', 'solved', 'closed'] as const)(
    'in a test conversation that is %s notifies no one, and a new conversation is a test too',
    async (status, { connection }) => {
      const id = await makeConversation(connection, { status, isTest: true });
      const { conversationId } = await receive(connection, { conversationId: id });
      expect(await db().conversation.findUnique({ where: { id: conversationId } })).toMatchObject({
        isTest: true,
        status: 'open',
      });
      await expectNoEffects(connection);
    },
  );
});

const receive = (connection: Connected, fields: Incoming = {}) =>
  receiveMessage(...incoming(connection.workspaceId, fields));

const keys = async (connection: Connected) =>
  (await recordedEvents(connection.workspaceId)).map(({ event }) => event);

const notifications = (connection: Connected) =>
  db().notification.findMany({ where: { workspaceId: connection.workspaceId } });
