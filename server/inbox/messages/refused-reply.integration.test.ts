import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeAll(async () => {
  connection = await makeConnection();
  // Unassigned and on a channel without sending, so every effect of a reply would be visible.
  id = await makeConversation(connection, { channel: 'webchat', assigneeId: null, assignedAt: null });
});

async function reply(conversationId: string, body: unknown) {
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('POST', `/conversations/${conversationId}/replies`, body);
  return { status: response.status, body: response.body };
}

const refused = (sentence: string, field = 'content') => ({
  status: 422,
  body: { message: sentence, errors: { [field]: [sentence] } },
});
const NOT_FOUND = { status: 404, body: { message: 'The conversation was not found.' } };

describe('invalid content', () => {
  const TEXT = 'The content must be text.';
  const LONG = 'The content must be at most 8,000 characters.';
  const REQUIRED = 'The content is required.';
  const UNSTORABLE = 'The content contains a character that cannot be stored. Remove it.';
  test.each<[string, unknown, string]>([
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
  ])('is refused and changes nothing: %s', async (_what, content, sentence) => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    expect(await reply(id, { content })).toEqual(refused(sentence));
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });
});

describe('an unknown conversation is reported before invalid content', () => {
  let foreign: string;
  let stranger: typeof connection;
  beforeAll(async () => {
    stranger = await makeConnection();
    foreign = await makeConversation(stranger);
  });

  test.each<[string, () => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', () => foreign],
    ['an invalid id', () => '42'],
    ['an id without its last digit', () => id.slice(0, -1)],
    ['an id without dashes', () => id.replaceAll('-', '')],
    ['an id with a space', () => `${id}%20`],
    ['SQL', () => encodeURIComponent("' or 1=1 --")],
    ['an id with U+0000', () => `%00${id}`],
  ])('%s', async (_what, which) => {
    const before = await rowsOfWorkspace(stranger.workspaceId);
    for (const body of [{ content: 'Hello' }, { content: '' }, {}, { content: 7 }]) {
      expect(await reply(which(), body)).toEqual(NOT_FOUND);
    }
    expect(await db().message.count()).toBe(0);
    expect(await rowsOfWorkspace(stranger.workspaceId)).toEqual(before);
  });
});

describe('a merged conversation', () => {
  let merged: string;
  beforeAll(async () => {
    merged = await makeConversation(connection, { mergedIntoId: id });
  });

  test('refuses a reply and does not change', async () => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    const sentence = `This conversation was merged into another one. Use ${conversationUrl(id)} instead.`;
    expect(await reply(merged, { content: 'Hello' })).toEqual(refused(sentence, 'conversation'));
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });

  test('is reported after invalid content', async () => {
    expect(await reply(merged, { content: ' ' })).toEqual(refused('The content is required.'));
  });
});
