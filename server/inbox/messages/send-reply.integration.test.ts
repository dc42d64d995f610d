import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const WEBCHAT = { channel: 'webchat' } as const;
const found = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });

async function reply(conversationId: string, content = 'Hello Ada'): Promise<ReplyRecord> {
  const api = apiClient(service.url, connection.accessToken);
  const { status, body } = await api('POST', `/conversations/${conversationId}/replies`, { content });
  expect(status).toBe(201);
  return body as ReplyRecord;
}

test('sending a reply returns 201 with exactly the fields of a Reply', async () => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const body = await reply(conversationId);
  expect(body).toEqual({
    id: expect.any(String),
    conversation_id: conversationId,
    content: 'Hello Ada',
    created_at: expect.stringMatching(TIMESTAMP),
    send_status: null,
    delivery_error: null,
    url: `http://inbox.test/inbox?selected=${conversationId}`,
  });
  expect(body.id[14]).toBe('7');
});

test('the reply is stored with the connecting teammate as its author and with the connection', async () => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const { id, created_at } = await reply(conversationId);
  expect(await db().message.findMany({ where: { conversationId } })).toEqual([
    {
      id,
      workspaceId: connection.workspaceId,
      conversationId,
      direction: 'outbound',
      authorKind: 'workflow',
      authorId: connection.teammate.id,
      authorName: connection.teammate.name,
      connectionId: connection.id,
      content: 'Hello Ada',
      attachmentsCount: 0,
      automatic: false,
      bcc: [],
      cc: [],
      deferrals: 0,
      editedAt: null,
      fullContent: null,
      html: null,
      mailTo: [],
      originalFileId: null,
      providerIds: [],
      senderVerified: null,
      template: null,
      trimmed: false,
      sendStatus: null,
      deliveryError: null,
      sendStartedAt: null,
      solveAskedAt: null,
      externalId: null,
      createdAt: new Date(created_at),
    },
  ]);
});

test('white space inside and around the content is kept', async () => {
  const content = ' \n Hello\r\n\n\tAda 😀 \u00a0\n';
  expect((await reply(await makeConversation(connection, WEBCHAT), content)).content).toBe(content);
});

test.each(['x', '😀'])('a reply can have 8,000 times %s', async (character) => {
  const content = character.repeat(8_000);
  expect((await reply(await makeConversation(connection, WEBCHAT), content)).content).toBe(content);
});

test('the conversation id can be in upper case', async () => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const { conversation_id, url } = await reply(conversationId.toUpperCase());
  expect(conversation_id).toBe(conversationId);
  expect(url).toBe(`http://inbox.test/inbox?selected=${conversationId}`);
});

test.each(['open', 'pending', 'solved', 'closed'] as const)(
  'a reply in a conversation that is %s changes only its timestamps and silences the AI agent',
  async (status) => {
    const id = await makeConversation(connection, { ...WEBCHAT, status, lastMessageAt: LONG_AGO });
    const before = await found(id);
    const now = new Date((await reply(id)).created_at);
    expect(await found(id)).toEqual({
      ...before,
      aiAgentSilenced: true,
      lastMessageAt: now,
      updatedAt: now,
    });
    expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(0);
    expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
    expect(await queuedJobs()).toEqual([]);
  },
);

test('parallel replies are all stored with their content', async () => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const contents = Array.from({ length: 8 }, (_, number) => `Reply ${number}`);
  const replies = await Promise.all(contents.map((content) => reply(conversationId, content)));
  expect(replies.map(({ content }) => content)).toEqual(contents);
  const messages = await db().message.findMany({ where: { conversationId } });
  expect(messages.map(({ content }) => content).sort()).toEqual(contents);
});

describe('a channel that is not connected', () => {
  test.each([
    ['whatsapp', 'WhatsApp'],
    ['instagram', 'Instagram'],
    ['messenger', 'Messenger'],
    ['telegram', 'Telegram'],
    ['slack', 'Slack'],
  ] as const)('%s saves the reply and reports that it was not delivered', async (channel, name) => {
    const conversationId = await makeConversation(connection, { channel });
    const body = await reply(conversationId);
    const sentence = `${name} is not connected to this workspace, so the message was saved but the contact did not receive it.`;
    expect(body).toMatchObject({ send_status: 'failed', delivery_error: sentence });
    expect(await db().message.findMany({ where: { conversationId } })).toMatchObject([
      { id: body.id, content: 'Hello Ada', sendStatus: 'failed', deliveryError: sentence },
    ]);
  });
});
