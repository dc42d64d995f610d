import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

test('a contact has been waiting since the first message after the last reply', async ({
  api,
  connection,
}) => {
  const id = await receive(connection);
  const [message] = await messagesIn(id);
  expect((await storedConversation(id)).waitingSince).toEqual(message?.createdAt);
  await receive(connection, { conversationId: id });
  expect((await storedConversation(id)).waitingSince).toEqual(message?.createdAt);
  await reply(api, id);
  expect((await storedConversation(id)).waitingSince).toBeNull();
  await receive(connection, { conversationId: id });
  const last = (await messagesIn(id)).at(-1);
  expect((await storedConversation(id)).waitingSince).toEqual(last?.createdAt);
});

test('a contact who writes again after a conversation was solved has been waiting since then', async ({
  api,
  connection,
}) => {
  const id = await receive(connection);
  expect((await api('PATCH', `/conversations/${id}`, { status: 'solved' })).status).toBe(200);
  await receive(connection, { conversationId: id });
  const last = (await messagesIn(id)).at(-1);
  expect(await storedConversation(id)).toMatchObject({ status: 'open', waitingSince: last?.createdAt });
});

test('nobody waits after an automatic message', async ({ api, connection }) => {
  const id = await receive(connection);
  await reply(api, id);
  await receive(connection, { conversationId: id, automatic: true });
  expect(await messagesIn(id)).toHaveLength(3);
  expect((await storedConversation(id)).waitingSince).toBeNull();
});

async function receive({ workspaceId }: Connected, fields: Incoming = {}): Promise<string> {
  return (await receiveMessage(...incoming(workspaceId, fields))).conversationId;
}

async function reply(api: Api, id: string): Promise<void> {
  expect((await api('POST', `/conversations/${id}/replies`, { content: 'Hello' })).status).toBe(201);
}

const messagesIn = (conversationId: string) =>
  db().message.findMany({ where: { conversationId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
