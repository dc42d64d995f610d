import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Received } from '#server/inbox/messages/incoming-message.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type Incoming, incoming } from '#test/fixtures/incoming.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
  await forgetJobs();
});

const EMAIL = { name: 'Ada Lovelace', email: 'ada@example.com' };
const PHONE = { name: 'Ada Lovelace', phone: '+44 20 7946' };
const CASES: [string, () => Promise<Incoming>][] = [
  ['of a new contact with an address', async () => ({ contact: { fields: EMAIL } })],
  ['of a new contact without an address', async () => ({ contact: { fields: PHONE } })],
  ['of an unknown sender', async () => ({ contact: { fields: {} } })],
  ...(['open', 'pending', 'solved', 'closed'] as const).map((status): [string, () => Promise<Incoming>] => [
    `in a conversation that is ${status}`,
    async () => ({
      conversationId: await makeConversation(connection, { status, resolvedAt: new Date() }),
    }),
  ]),
];

const changed = async () => ({
  rows: await rowsOfWorkspace(connection.workspaceId),
  jobs: await queuedJobs(),
});

describe.each(CASES)('a message %s', (_what, given) => {
  test('that is received again changes nothing and returns the same result', async () => {
    const message: Incoming = { ...(await given()), externalId: 'provider:1' };
    const receive = (changes: Incoming = {}) =>
      receiveMessage(...incoming(connection.workspaceId, { ...message, ...changes }));
    const first = await receive();
    const after = await changed();
    expect(await receive()).toEqual(first);
    expect(await receive({ content: 'Changed', conversationId: null })).toEqual(first);
    expect(await changed()).toEqual(after);
  });

  test('that is received six times in parallel is stored once, and all calls return the same result', async () => {
    const where = await given();
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

test('a message without a provider’s id is stored each time', async () => {
  const conversationId = await makeConversation(connection);
  const message = incoming(connection.workspaceId, { conversationId });
  const [one, other] = [await receiveMessage(...message), await receiveMessage(...message)];
  expect(one.messageId).not.toBe(other.messageId);
});

test('the same id in another workspace is another message', async () => {
  const elsewhere = await makeConnection();
  const there = await receiveMessage(...incoming(elsewhere.workspaceId, { externalId: 'provider:1' }));
  const here = await receiveMessage(...incoming(connection.workspaceId, { externalId: 'provider:1' }));
  expect(here.messageId).not.toBe(there.messageId);
});

test('a reply of the service that its channel echoes is not stored as a message of the contact', async () => {
  const { workspaceId, teammate } = connection;
  const id = await makeConversation(connection, { channel: 'webchat', status: 'pending' });
  const actor = { kind: 'teammate', teammate } as const;
  const reply = await sendReply({ workspaceId, id, actor, content: 'Hello' });
  await db().message.update({ where: { id: reply.id }, data: { externalId: 'provider:echo' } });
  const after = await changed();
  const received: Received = await receiveMessage(
    ...incoming(workspaceId, { conversationId: id, externalId: 'provider:echo' }),
  );
  expect(received).toMatchObject({ messageId: reply.id, conversationId: id });
  expect(await changed()).toEqual(after);
});

test('parallel messages in one conversation are all stored, and reopen it once', async () => {
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

test('parallel first messages of one address create one contact', async () => {
  const { workspaceId } = connection;
  const messages = Array.from({ length: 6 }, (_, number) =>
    incoming(workspaceId, { contact: { fields: EMAIL }, externalId: `provider:${number}` }),
  );
  const received = await Promise.all(messages.map((message) => receiveMessage(...message)));
  expect(new Set(received.map(({ contactId }) => contactId)).size).toBe(1);
  const keys = (await recordedEvents(workspaceId)).map(({ event }) => event);
  expect(keys.filter((key) => key === 'contact.created')).toHaveLength(1);
});
