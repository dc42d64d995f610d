import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { mergedInto, NOT_FOUND, refused } from '#test/fixtures/refused.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

// Unassigned and on a channel without sending, so that every effect of a reply would be visible.
const test = conversationTest.extend('unassigned', ({ connection }) =>
  makeConversation(connection, { channel: 'webchat', assigneeId: null, assignedAt: null }),
);

test('sending a reply returns 201 with exactly the fields of a Reply', async ({ api, connection }) => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const body = await reply(api, conversationId);
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

test('the reply is stored with the connecting teammate as its author and with the connection', async ({
  api,
  connection,
}) => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const { id, created_at } = await reply(api, conversationId);
  expect(await db().message.findMany({ where: { conversationId } })).toMatchObject([
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
      arrivalDoubtful: false,
      automatic: false,
      bcc: [],
      cc: [],
      deferrals: 0,
      editedAt: null,
      forbidsAnswers: false,
      forwardedId: null,
      fullContent: null,
      html: null,
      mailTo: [],
      originalFileId: null,
      providerIds: [],
      replyTo: [],
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

test('preserves white space inside and around the content', async ({ api, connection }) => {
  const content = ' \n Hello\r\n\n\tAda 😀 \u00a0\n';
  expect((await reply(api, await makeConversation(connection, WEBCHAT), content)).content).toBe(content);
});

test.for(['x', '😀'])('a reply can consist of %s 8,000 times', async (character, { api, connection }) => {
  const content = character.repeat(8_000);
  expect((await reply(api, await makeConversation(connection, WEBCHAT), content)).content).toBe(content);
});

test('the conversation id can be in upper case', async ({ api, connection }) => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const { conversation_id, url } = await reply(api, conversationId.toUpperCase());
  expect(conversation_id).toBe(conversationId);
  expect(url).toBe(`http://inbox.test/inbox?selected=${conversationId}`);
});

test.for(['open', 'pending', 'solved', 'closed'] as const)(
  'a reply in a conversation that is %s changes only its timestamps and silences the AI agent',
  async (status, { api, connection }) => {
    const id = await makeConversation(connection, { ...WEBCHAT, status, lastMessageAt: LONG_AGO });
    const before = await storedConversation(id);
    const now = new Date((await reply(api, id)).created_at);
    expect(await storedConversation(id)).toEqual({
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

test('parallel replies are all stored with their content', async ({ api, connection }) => {
  const conversationId = await makeConversation(connection, WEBCHAT);
  const contents = Array.from({ length: 8 }, (_, number) => `Reply ${number}`);
  const replies = await Promise.all(contents.map((content) => reply(api, conversationId, content)));
  expect(replies.map(({ content }) => content)).toEqual(contents);
  const messages = await db().message.findMany({ where: { conversationId } });
  expect(messages.map(({ content }) => content).sort()).toEqual(contents);
});

describe('a channel that is not connected', () => {
  test.for([
    ['whatsapp', 'WhatsApp'],
    ['instagram', 'Instagram'],
    ['messenger', 'Messenger'],
    ['telegram', 'Telegram'],
    ['slack', 'Slack'],
  ] as const)(
    '%s saves the reply and reports that it was not delivered',
    async ([channel, name], { api, connection }) => {
      const conversationId = await makeConversation(connection, { channel });
      const body = await reply(api, conversationId);
      const sentence = `${name} is not connected to this workspace, so the message was saved but the contact did not receive it.`;
      expect(body).toMatchObject({ send_status: 'failed', delivery_error: sentence });
      expect(await db().message.findMany({ where: { conversationId } })).toMatchObject([
        { id: body.id, content: 'Hello Ada', sendStatus: 'failed', deliveryError: sentence },
      ]);
    },
  );
});

describe('invalid content', () => {
  const TEXT = 'The content must be text.';
  const LONG = 'The content must be at most 8,000 characters.';
  const REQUIRED = 'The content is required.';
  const UNSTORABLE = 'The content contains a character that cannot be stored. Remove it.';
  test.for<[string, unknown, string]>([
    ['missing', undefined, REQUIRED],
    ['null', null, REQUIRED],
    ['empty', '', REQUIRED],
    ['blank', ' \t\n\u00a0 ', REQUIRED],
    ['a number', 0, TEXT],
    ['a boolean', true, TEXT],
    ['a list', ['Hello'], TEXT],
    ['an object', { text: 'Hello' }, TEXT],
    ['8,001 characters long', 'x'.repeat(8_001), LONG],
    ['8,001 emoji long', '😀'.repeat(8_001), LONG],
    ['8,001 characters long with its white space', `${'x'.repeat(8_000)}\n`, LONG],
    ['with U+0000', 'a\0b', UNSTORABLE],
    ['with half a character', '\ude00b', UNSTORABLE],
  ])(
    'is refused and changes nothing: %s',
    async ([_what, content, sentence], { api, connection, unassigned }) => {
      const before = await rowsOfWorkspace(connection.workspaceId);
      expect(await refusedReply(api, unassigned, { content })).toEqual(refused('content', sentence));
      expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
    },
  );
});

describe('an unknown conversation is reported before invalid content', () => {
  test.for<[string, (ids: { id: string; foreign: string }) => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', ({ foreign }) => foreign],
    ['an invalid id', () => '42'],
    ['an id without its last digit', ({ id }) => id.slice(0, -1)],
    ['an id without dashes', ({ id }) => id.replaceAll('-', '')],
    ['an id with a space', ({ id }) => `${id}%20`],
    ['SQL', () => encodeURIComponent("' or 1=1 --")],
    ['an id with U+0000', ({ id }) => `%00${id}`],
  ])('%s', async ([_what, which], { api, connection, unassigned: id, stranger, foreign }) => {
    const before = await rowsOfWorkspace(stranger.workspaceId);
    for (const body of [{ content: 'Hello' }, { content: '' }, {}, { content: 7 }]) {
      expect(await refusedReply(api, which({ id, foreign }), body)).toEqual(NOT_FOUND);
    }
    expect(await db().message.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
    expect(await rowsOfWorkspace(stranger.workspaceId)).toEqual(before);
  });
});

describe('a merged conversation', () => {
  test('refuses a reply and does not change', async ({ api, connection, conversation, merged }) => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    expect(await refusedReply(api, merged, { content: 'Hello' })).toEqual(
      refused('conversation', mergedInto(conversation)),
    );
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });

  test('is reported after invalid content', async ({ api, merged }) => {
    expect(await refusedReply(api, merged, { content: ' ' })).toEqual(
      refused('content', 'The content is required.'),
    );
  });
});

test('a reply stops the first response clock, not the resolution clock', async ({ api, connection }) => {
  const id = await withClocks(connection, 5);
  const stoppedAt = await replyAt(api, id);
  expect(await clocks(id)).toEqual([
    { kind: 'first_response', stoppedAt, breachedAt: null },
    { kind: 'resolution', ...running },
  ]);
  await replyAt(api, id);
  expect((await clocks(id))[0]).toMatchObject({ stoppedAt });
});

test('a late reply stops the first response clock as breached', async ({ api, connection }) => {
  const id = await withClocks(connection, -5);
  const stoppedAt = await replyAt(api, id);
  expect(await clocks(id)).toEqual([
    { kind: 'first_response', stoppedAt, breachedAt: expect.any(Date) },
    { kind: 'resolution', ...running },
  ]);
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

const WEBCHAT = { channel: 'webchat' } as const;

async function reply(api: Api, conversationId: string, content = 'Hello Ada'): Promise<ReplyRecord> {
  const { status, body } = await api('POST', `/conversations/${conversationId}/replies`, { content });
  expect(status).toBe(201);
  return body as ReplyRecord;
}

async function refusedReply(api: Api, conversationId: string, body: unknown) {
  const response = await api('POST', `/conversations/${conversationId}/replies`, body);
  return { status: response.status, body: response.body };
}

/** Sends a reply and returns its created_at. */
async function replyAt(api: Api, conversationId: string): Promise<Date> {
  const response = await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello' });
  expect(response.status).toBe(201);
  return new Date((response.body as { created_at: string }).created_at);
}

const running = { stoppedAt: null, breachedAt: null };

/** Creates a conversation with a clock of each kind, due in the given minutes. */
async function withClocks(connection: Connected, minutes: number): Promise<string> {
  const conversationId = await makeConversation(connection, { channel: 'webchat' });
  const { workspaceId } = connection;
  const dueAt = new Date(Date.now() + minutes * 60_000);
  const kinds = ['first_response', 'resolution'] as const;
  await db().slaClock.createMany({
    data: kinds.map((kind) => ({ workspaceId, conversationId, kind, dueAt, startedAt: LONG_AGO })),
  });
  return conversationId;
}

const clocks = async (conversationId: string) => {
  const rows = await db().slaClock.findMany({ where: { conversationId }, orderBy: { kind: 'asc' } });
  return rows.map(({ kind, stoppedAt, breachedAt }) => ({ kind, stoppedAt, breachedAt }));
};
