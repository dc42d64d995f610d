import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { Received } from '#server/inbox/messages/incoming-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { until } from '#test/fixtures/until.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

describe.each(targets())('a message %s', (_what, input) => {
  test('that is received again changes nothing and returns the same result', async ({ connection }) => {
    const message: Incoming = { ...(await input(connection)), externalId: 'provider:1' };
    const receive = (changes: Incoming = {}) =>
      receiveMessage(...incoming(connection.workspaceId, { ...message, ...changes }));
    const first = await receive();
    const after = await changed(connection);
    expect(await receive()).toEqual(first);
    expect(await receive({ content: 'Changed', conversationId: null })).toEqual(first);
    expect(await changed(connection)).toEqual(after);
  });

  test('that is received six times in parallel is stored once, and all calls return the same result', async ({
    connection,
  }) => {
    const where = await input(connection);
    const message = incoming(connection.workspaceId, { ...where, externalId: 'provider:1' });
    const before = await db().conversation.count();
    const calls = await Promise.all(Array.from({ length: 6 }, () => receiveMessage(...message)));
    const [first] = calls;
    expect(calls).toEqual(calls.map(() => first));
    const { workspaceId } = connection;
    expect(await db().message.findMany({ where: { workspaceId } })).toMatchObject([{ id: first?.messageId }]);
    expect((await db().conversation.count()) - before).toBe(
      where.conversationId === first?.conversationId ? 0 : 1,
    );
    expect(await db().contact.count({ where: { workspaceId } })).toBe(first?.contactId ? 1 : 0);
    const keys = (await recordedEvents(workspaceId)).map(({ event }) => event);
    expect(keys).toEqual([...new Set(keys)]);
    expect(keys.at(-1)).toBe('message.received');
  });
});

test('a message without a provider’s id is stored each time', async ({ connection }) => {
  const conversationId = await makeConversation(connection);
  const message = incoming(connection.workspaceId, { conversationId });
  const [one, other] = [await receiveMessage(...message), await receiveMessage(...message)];
  expect(one.messageId).not.toBe(other.messageId);
});

test('the same id in another workspace is another message', async ({ connection, stranger: elsewhere }) => {
  const there = await receiveMessage(...incoming(elsewhere.workspaceId, { externalId: 'provider:1' }));
  const here = await receiveMessage(...incoming(connection.workspaceId, { externalId: 'provider:1' }));
  expect(here.messageId).not.toBe(there.messageId);
});

test('a reply of the service that its channel echoes is not stored as a message of the contact', async ({
  connection,
}) => {
  const { workspaceId, teammate } = connection;
  const id = await makeConversation(connection, { channel: 'webchat', status: 'pending' });
  const actor = { kind: 'teammate', teammate } as const;
  const reply = await sendReply({ workspaceId, id, actor, content: 'Hello' });
  await db().message.update({ where: { id: reply.id }, data: { externalId: 'provider:echo' } });
  const after = await changed(connection);
  const received: Received = await receiveMessage(
    ...incoming(workspaceId, { conversationId: id, externalId: 'provider:echo' }),
  );
  expect(received).toMatchObject({ messageId: reply.id, conversationId: id });
  expect(await changed(connection)).toEqual(after);
});

test('parallel messages in one conversation are all stored, and reopen it once', async ({ connection }) => {
  const { workspaceId } = connection;
  const conversationId = await makeConversation(connection, { status: 'solved' });
  const messages = Array.from({ length: 8 }, (_, number) =>
    incoming(workspaceId, { conversationId, externalId: `provider:${number}` }),
  );
  await Promise.all(messages.map((message) => receiveMessage(...message)));
  const keys = (await recordedEvents(workspaceId)).map(({ event }) => event);
  expect(keys.filter((key) => key === 'message.received')).toHaveLength(8);
  expect(keys.filter((key) => key === 'conversation.status_changed')).toHaveLength(1);
  expect(keys[0]).toBe('conversation.status_changed');
});

test('parallel first messages of one address create one contact', async ({ connection }) => {
  const { workspaceId } = connection;
  const messages = Array.from({ length: 6 }, (_, number) =>
    incoming(workspaceId, { contact: { fields: EMAIL }, externalId: `provider:${number}` }),
  );
  const received = await Promise.all(messages.map((message) => receiveMessage(...message)));
  expect(new Set(received.map(({ contactId }) => contactId)).size).toBe(1);
  const keys = (await recordedEvents(workspaceId)).map(({ event }) => event);
  expect(keys.filter((key) => key === 'contact.created')).toHaveLength(1);
});

describe('a message received during a merge of its conversation', () => {
  test('waits for the merge and is added to the target', async ({ connection }) => {
    const [one, other] = [await makeConversation(connection), await makeConversation(connection)];
    let received = Promise.resolve<Received>({ messageId: '', conversationId: '', contactId: null });
    await inTransaction(async (tx) => {
      await lockConversation(tx, { workspaceId: connection.workspaceId, id: one });
      received = receive(connection, { conversationId: one });
      await until('the message waits for the conversation', async () => (await countLockWaiters()) === 1);
      await tx.conversation.update({ where: { id: one }, data: { mergedIntoId: other } });
    });
    expect((await received).conversationId).toBe(other);
  });

  test('is added to one of the two conversations', async ({ connection }) => {
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = [await makeConversation(connection), await makeConversation(connection)];
      const [received] = await Promise.all([
        receive(connection, { conversationId: one }),
        mergeAs(connection, one, other),
      ]);
      expect([one, other]).toContain(received.conversationId);
      const message = await db().message.findUniqueOrThrow({ where: { id: received.messageId } });
      expect(message.conversationId).toBe(received.conversationId);
      const event = (await recordedEventsOf(connection.workspaceId, 'message.received')).at(-1);
      expect(event?.conversation.id).toBe(received.conversationId);
    }
  });
});

const EMAIL = { name: 'Ada Lovelace', email: 'ada@example.com' };

const PHONE = { name: 'Ada Lovelace', phone: '+44 20 7946' };

const changed = async (connection: Connected) => ({
  rows: await rowsOfWorkspace(connection.workspaceId),
  jobs: await queuedJobs(),
});

/** Senders and conversations of a message, each with a function that creates them. */
function targets(): [string, (connection: Connected) => Promise<Incoming>][] {
  return [
    ['of a new contact with an address', async () => ({ contact: { fields: EMAIL } })],
    ['of a new contact without an address', async () => ({ contact: { fields: PHONE } })],
    ['of an unknown sender', async () => ({ contact: { fields: {} } })],
    ...(['open', 'pending', 'solved', 'closed'] as const).map(
      (status): [string, (connection: Connected) => Promise<Incoming>] => [
        `in a conversation that is ${status}`,
        async (connection) => ({
          conversationId: await makeConversation(connection, { status, resolvedAt: new Date() }),
        }),
      ],
    ),
  ];
}

const receive = (connection: Connected, fields: Incoming = {}) =>
  receiveMessage(...incoming(connection.workspaceId, fields));
