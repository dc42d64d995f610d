import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeAll(async () => {
  connection = await makeConnection();
  id = await makeConversation(connection);
});

async function note(conversationId: string, body: unknown, { accessToken } = connection) {
  const api = apiClient(service.url, accessToken);
  const response = await api('POST', `/conversations/${conversationId}/notes`, body);
  expect(await db().note.count()).toBe(0);
  return { status: response.status, body: response.body };
}

const refused = (sentence: string, field = 'content') => ({
  status: 422,
  body: { message: sentence, errors: { [field]: [sentence] } },
});
const NOT_FOUND = { status: 404, body: { message: 'The conversation was not found.' } };

describe('invalid content', () => {
  const TEXT = 'The content must be text.';
  const LONG = 'The content must be at most 10,000 characters.';
  const REQUIRED = 'The content is required.';
  const UNSTORABLE = 'The content contains a character that cannot be stored. Remove it.';
  test.each<[string, unknown, string]>([
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
  ])('is refused: %s', async (_what, content, sentence) => {
    expect(await note(id, { content })).toEqual(refused(sentence));
  });
});

describe('an unknown conversation is reported before invalid content', () => {
  let foreign: string;
  beforeAll(async () => {
    foreign = await makeConversation(await makeConnection());
  });

  test.each<[string, () => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', () => foreign],
    ['an invalid id', () => '42'],
    ['an id with an extra digit', () => `${id}0`],
    ['an id with braces', () => encodeURIComponent(`{${id}}`)],
    ['SQL', () => encodeURIComponent("' or 1=1 --")],
    ['an id with U+0000', () => `${id}%00`],
  ])('%s', async (_what, which) => {
    for (const body of [{ content: 'Hello' }, { content: '' }, {}, { content: 7 }]) {
      expect(await note(which(), body)).toEqual(NOT_FOUND);
    }
  });
});

test('a note on a merged conversation is refused', async () => {
  const merged = await makeConversation(connection, { mergedIntoId: id });
  const sentence = `This conversation was merged into another one. Use ${conversationUrl(id)} instead.`;
  expect(await note(merged, { content: 'Hello' })).toEqual(refused(sentence, 'conversation'));
});

describe('notes are refused on the Starter plan', () => {
  const PLAN = {
    status: 402,
    body: { message: 'Internal notes need the Growth plan or higher.' },
  };
  let starter: typeof connection;
  let own: string;
  beforeAll(async () => {
    starter = await makeConnection({ plan: 'starter' });
    own = await makeConversation(starter);
  });

  test('before the conversation and the content are checked', async () => {
    for (const which of [own, id, randomUUID(), 'no id']) {
      for (const body of [{ content: 'Hello' }, { content: '' }, {}]) {
        expect(await note(which, body, starter)).toEqual(PLAN);
      }
    }
    const merged = await makeConversation(starter, { mergedIntoId: own });
    expect(await note(merged, { content: 'Hello' }, starter)).toEqual(PLAN);
  });

  test('but after an unreadable body', async () => {
    expect(await note(own, '{', starter)).toMatchObject({
      status: 422,
      body: { errors: { body: [expect.any(String)] } },
    });
  });

  test('until the workspace changes to another plan', async () => {
    const { workspaceId, accessToken } = starter;
    const api = apiClient(service.url, accessToken);
    for (const plan of ['growth', 'business', 'scale'] as const) {
      await db().workspace.update({ where: { id: workspaceId }, data: { plan } });
      expect((await api('POST', `/conversations/${own}/notes`, { content: 'Hello' })).status).toBe(201);
    }
    await db().note.deleteMany();
    await db().workspace.update({ where: { id: workspaceId }, data: { plan: 'starter' } });
    expect(await note(own, { content: 'Hello' }, starter)).toEqual(PLAN);
  });
});
