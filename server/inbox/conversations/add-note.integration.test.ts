import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NoteRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { Api } from '#test/fixtures/fixture-types.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { mergedInto, NOT_FOUND, refused } from '#test/fixtures/refused.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

test('adding a note returns 201 with exactly the fields of a Note', async ({ api, connection }) => {
  const conversationId = await makeConversation(connection);
  const body = await note(api, conversationId);
  expect(body).toEqual({
    id: expect.any(String),
    conversation_id: conversationId,
    content: 'Refund it.',
    created_at: expect.stringMatching(TIMESTAMP),
    url: `http://inbox.test/inbox?selected=${conversationId}`,
  });
  expect(body.id[14]).toBe('7');
});

test('the note is stored with the connecting teammate as its author and with the connection', async ({
  api,
  connection,
}) => {
  const conversationId = await makeConversation(connection);
  const { id, created_at } = await note(api, conversationId);
  expect(await db().note.findMany({ where: { conversationId } })).toEqual([
    {
      id,
      workspaceId: connection.workspaceId,
      conversationId,
      authorKind: 'workflow',
      authorId: connection.teammate.id,
      authorName: connection.teammate.name,
      connectionId: connection.id,
      programName: null,
      commandRunId: null,
      content: 'Refund it.',
      formatted: null,
      createdAt: new Date(created_at),
      editedAt: null,
      deletedAt: null,
      version: 0,
    },
  ]);
});

test('preserves white space inside and around the content', async ({ api, connection }) => {
  const content = ' \n Refund\r\n\n\tit 😀 \u00a0\n';
  expect((await note(api, await makeConversation(connection), content)).content).toBe(content);
});

test.for(['x', '😀'])('a note can consist of %s 10,000 times', async (character, { api, connection }) => {
  const content = character.repeat(10_000);
  expect((await note(api, await makeConversation(connection), content)).content).toBe(content);
});

test('the conversation id can be in upper case', async ({ api, connection }) => {
  const conversationId = await makeConversation(connection);
  const { conversation_id, url } = await note(api, conversationId.toUpperCase());
  expect(conversation_id).toBe(conversationId);
  expect(url).toBe(`http://inbox.test/inbox?selected=${conversationId}`);
});

test.for(['open', 'pending', 'solved', 'closed'] as const)(
  'a note on a conversation that is %s changes only its updated_at',
  async (status, { api, connection }) => {
    const id = await makeConversation(connection, { status, updatedAt: LONG_AGO });
    const before = await storedConversation(id);
    const { created_at } = await note(api, id);
    expect(await storedConversation(id)).toEqual({ ...before, updatedAt: new Date(created_at) });
  },
);

describe('the contact never sees a note', () => {
  test.for(['email', 'webchat', 'whatsapp'] as const)('on %s', async (channel, { api, connection }) => {
    await forgetJobs();
    const conversationId = await makeConversation(connection, { channel });
    await note(api, conversationId);
    expect(await db().message.count({ where: { conversationId } })).toBe(0);
    expect(await queuedJobs()).toEqual([]);
  });

  test('and a note emits no event, not even to a hook for messages', async ({ api, connection }) => {
    const hook = { event: 'message.received', target_url: 'https://hooks.platform.test/hook' };
    expect((await api('POST', '/hooks', hook)).status).toBe(201);
    await note(api, await makeConversation(connection));
    expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  });

  test('and a note neither stops the first response clock nor assigns the conversation', async ({
    api,
    connection,
  }) => {
    const { workspaceId } = connection;
    const conversationId = await makeConversation(connection, { assigneeId: null, assignedAt: null });
    const dueAt = new Date(Date.now() + 60_000);
    await db().slaClock.create({ data: { workspaceId, conversationId, kind: 'first_response', dueAt } });
    await note(api, conversationId);
    expect(await db().slaClock.findFirst({ where: { conversationId } })).toMatchObject({ stoppedAt: null });
    expect((await storedConversation(conversationId)).assigneeId).toBeNull();
  });
});

test('notes added in parallel are all stored', async ({ api, connection }) => {
  const conversationId = await makeConversation(connection);
  const notes = await Promise.all(
    Array.from({ length: 8 }, (_, number) => note(api, conversationId, `Note ${number}`)),
  );
  expect(new Set(notes.map(({ id }) => id)).size).toBe(8);
  expect(await db().note.count({ where: { conversationId } })).toBe(8);
});

describe('invalid content', () => {
  const TEXT = 'The content must be text.';
  const LONG = 'The content must be at most 10,000 characters.';
  const REQUIRED = 'The content is required.';
  const UNSTORABLE = 'The content contains a character that cannot be stored. Remove it.';
  test.for<[string, unknown, string]>([
    ['missing', undefined, REQUIRED],
    ['null', null, REQUIRED],
    ['empty', '', REQUIRED],
    ['blank', ' \t\n\u00a0 ', REQUIRED],
    ['a number', 7, TEXT],
    ['a boolean', false, TEXT],
    ['a list', ['Hello'], TEXT],
    ['an object', { text: 'Hello' }, TEXT],
    ['10,001 characters long', 'x'.repeat(10_001), LONG],
    ['10,001 emoji long', '😀'.repeat(10_001), LONG],
    ['10,001 characters long with its white space', ` ${'x'.repeat(10_000)}`, LONG],
    ['with U+0000', 'a\0b', UNSTORABLE],
    ['with half a character', 'a\ud83d', UNSTORABLE],
  ])('is refused: %s', async ([_what, content, sentence], { api, conversation: id }) => {
    expect(await refusedNote(api, id, { content })).toEqual(refused('content', sentence));
  });
});

describe('an unknown conversation is reported before invalid content', () => {
  test.for<[string, (ids: { id: string; foreign: string }) => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', ({ foreign }) => foreign],
    ['an invalid id', () => '42'],
    ['an id with an extra digit', ({ id }) => `${id}0`],
    ['an id with braces', ({ id }) => encodeURIComponent(`{${id}}`)],
    ['SQL', () => encodeURIComponent("' or 1=1 --")],
    ['an id with U+0000', ({ id }) => `${id}%00`],
  ])('%s', async ([_what, which], { api, conversation: id, foreign }) => {
    for (const body of [{ content: 'Hello' }, { content: '' }, {}, { content: 7 }]) {
      expect(await refusedNote(api, which({ id, foreign }), body)).toEqual(NOT_FOUND);
    }
  });
});

test('a note on a merged conversation is refused', async ({ api, conversation, merged }) => {
  const sentence = mergedInto(conversation);
  expect(await refusedNote(api, merged, { content: 'Hello' })).toEqual(refused('conversation', sentence));
});

describe('notes are refused on the Starter plan', () => {
  const PLAN = {
    status: 402,
    body: { message: 'Internal notes need the Growth plan or higher.' },
  };
  test.override('connection', () => makeConnection({ plan: 'starter' }));

  test('before the conversation and the content are checked', async ({
    api,
    conversation,
    merged,
    foreign,
  }) => {
    for (const which of [conversation, foreign, randomUUID(), 'no id']) {
      for (const body of [{ content: 'Hello' }, { content: '' }, {}]) {
        expect(await refusedNote(api, which, body)).toEqual(PLAN);
      }
    }
    expect(await refusedNote(api, merged, { content: 'Hello' })).toEqual(PLAN);
  });

  test('but after an unreadable body', async ({ api, conversation }) => {
    expect(await refusedNote(api, conversation, '{')).toMatchObject({
      status: 422,
      body: { errors: { body: [expect.any(String)] } },
    });
  });

  test('until the workspace changes to another plan', async ({ api, connection, conversation }) => {
    const { workspaceId } = connection;
    for (const plan of ['growth', 'business', 'scale'] as const) {
      await db().workspace.update({ where: { id: workspaceId }, data: { plan } });
      expect((await api('POST', `/conversations/${conversation}/notes`, { content: 'Hello' })).status).toBe(
        201,
      );
    }
    await db().workspace.update({ where: { id: workspaceId }, data: { plan: 'starter' } });
    expect(await refusedNote(api, conversation, { content: 'Hello' })).toEqual(PLAN);
  });
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

async function note(api: Api, conversationId: string, content = 'Refund it.'): Promise<NoteRecord> {
  const { status, body } = await api('POST', `/conversations/${conversationId}/notes`, { content });
  expect(status).toBe(201);
  return body as NoteRecord;
}

/** Sends a note and expects that none is stored. */
async function refusedNote(api: Api, conversationId: string, body: unknown) {
  const before = await db().note.count();
  const response = await api('POST', `/conversations/${conversationId}/notes`, body);
  expect(await db().note.count()).toBe(before);
  return { status: response.status, body: response.body };
}
