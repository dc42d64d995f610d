import { beforeEach, describe, expect, test } from 'vitest';
import type { NoteRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let api: ReturnType<typeof apiClient>;
beforeEach(async () => {
  connection = await makeConnection();
  api = apiClient(service.url, connection.accessToken);
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const found = (id: string) => db().conversation.findUniqueOrThrow({ where: { id } });

async function note(conversationId: string, content = 'Refund it.'): Promise<NoteRecord> {
  const { status, body } = await api('POST', `/conversations/${conversationId}/notes`, { content });
  expect(status).toBe(201);
  return body as NoteRecord;
}

test('adding a note returns 201 with exactly the fields of a Note', async () => {
  const conversationId = await makeConversation(connection);
  const body = await note(conversationId);
  expect(body).toEqual({
    id: expect.any(String),
    conversation_id: conversationId,
    content: 'Refund it.',
    created_at: expect.stringMatching(TIMESTAMP),
    url: `http://inbox.test/inbox?selected=${conversationId}`,
  });
  expect(body.id[14]).toBe('7');
});

test('the note is stored with the connecting teammate as its author and with the connection', async () => {
  const conversationId = await makeConversation(connection);
  const { id, created_at } = await note(conversationId);
  expect(await db().note.findMany({ where: { conversationId } })).toEqual([
    {
      id,
      workspaceId: connection.workspaceId,
      conversationId,
      authorKind: 'workflow',
      authorId: connection.teammate.id,
      authorName: connection.teammate.name,
      connectionId: connection.id,
      commandRunId: null,
      content: 'Refund it.',
      createdAt: new Date(created_at),
    },
  ]);
});

test('white space inside and around the content is kept', async () => {
  const content = ' \n Refund\r\n\n\tit 😀 \u00a0\n';
  expect((await note(await makeConversation(connection), content)).content).toBe(content);
});

test.each(['x', '😀'])('a note can have 10,000 times %s', async (character) => {
  const content = character.repeat(10_000);
  expect((await note(await makeConversation(connection), content)).content).toBe(content);
});

test('the conversation id can be in upper case', async () => {
  const conversationId = await makeConversation(connection);
  const { conversation_id, url } = await note(conversationId.toUpperCase());
  expect(conversation_id).toBe(conversationId);
  expect(url).toBe(`http://inbox.test/inbox?selected=${conversationId}`);
});

test.each(['open', 'pending', 'solved', 'closed'] as const)(
  'a note on a conversation that is %s changes only its updated_at',
  async (status) => {
    const id = await makeConversation(connection, { status, updatedAt: LONG_AGO });
    const before = await found(id);
    const { created_at } = await note(id);
    expect(await found(id)).toEqual({ ...before, updatedAt: new Date(created_at) });
  },
);

describe('the contact never sees a note', () => {
  test.each(['email', 'webchat', 'whatsapp'] as const)('on %s', async (channel) => {
    await forgetJobs();
    const conversationId = await makeConversation(connection, { channel });
    await note(conversationId);
    expect(await db().message.count({ where: { conversationId } })).toBe(0);
    expect(await queuedJobs()).toEqual([]);
  });

  test('and a note emits no event, not even to a hook for messages', async () => {
    const hook = { event: 'message.received', target_url: 'https://hooks.platform.test/hook' };
    expect((await api('POST', '/hooks', hook)).status).toBe(201);
    await note(await makeConversation(connection));
    expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  });

  test('and a note neither stops the first response clock nor assigns the conversation', async () => {
    const { workspaceId } = connection;
    const conversationId = await makeConversation(connection, { assigneeId: null, assignedAt: null });
    const dueAt = new Date(Date.now() + 60_000);
    await db().slaClock.create({ data: { workspaceId, conversationId, kind: 'first_response', dueAt } });
    await note(conversationId);
    expect(await db().slaClock.findFirst({ where: { conversationId } })).toMatchObject({ stoppedAt: null });
    expect((await found(conversationId)).assigneeId).toBeNull();
  });
});

test('notes added in parallel are all stored', async () => {
  const conversationId = await makeConversation(connection);
  const notes = await Promise.all(
    Array.from({ length: 8 }, (_, number) => note(conversationId, `Note ${number}`)),
  );
  expect(new Set(notes.map(({ id }) => id)).size).toBe(8);
  expect(await db().note.count({ where: { conversationId } })).toBe(8);
});
