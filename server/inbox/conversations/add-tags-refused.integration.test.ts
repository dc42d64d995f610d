import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let stranger: typeof connection;
let id: string;
beforeAll(async () => {
  connection = await makeConnection();
  stranger = await makeConnection();
  id = await makeConversation(connection);
});

/** Sends tags and expects that neither workspace changes. */
async function tag(conversationId: string, body: unknown) {
  const both = () => Promise.all([connection, stranger].map((one) => rowsOfWorkspace(one.workspaceId)));
  const before = await both();
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('POST', `/conversations/${conversationId}/tags`, body);
  expect(await both()).toEqual(before);
  return { status: response.status, body: response.body };
}

const refused = (sentence: string, field = 'tags') => ({
  status: 422,
  body: { message: sentence, errors: { [field]: [sentence] } },
});

describe('invalid tags are refused, and no tag is added', () => {
  const REQUIRED = 'The tags are required: send at least one.';
  const LIST = 'The tags must be an array of texts, or one text with commas between the tags.';
  const TEXT = 'Each tag must be text.';
  const MANY = 'The tags are too many: send at most 20 in one request.';
  const LONG = 'Each tag must be at most 40 characters.';
  const UNSTORABLE = 'The tags contain a character that cannot be stored. Remove it.';
  const twentyOne = Array.from({ length: 21 }, (_, number) => `t${number}`);
  test.each<[string, unknown, string]>([
    ['missing', undefined, REQUIRED],
    ['null', null, REQUIRED],
    ['an empty text', '', REQUIRED],
    ['a blank text', ' \n', REQUIRED],
    ['only commas', ' , ,,', REQUIRED],
    ['an empty array', [], REQUIRED],
    ['an array of blanks', ['', '  '], REQUIRED],
    ['a number', 7, LIST],
    ['a boolean', true, LIST],
    ['an object', { 0: 'VIP' }, LIST],
    ['an array with a number', ['VIP', 7], TEXT],
    ['an array with null', ['VIP', null], TEXT],
    ['an array in an array', ['VIP', ['late']], TEXT],
    ['an array with an object', [{ name: 'VIP' }], TEXT],
    ['21 tags', twentyOne, MANY],
    ['21 tags in a text', twentyOne.join(', '), MANY],
    ['21 times one tag', Array(21).fill('VIP'), MANY],
    ['21 times a tag that is there', Array(21).fill('Shipping'), MANY],
    ['41 characters', ['VIP', 'x'.repeat(41)], LONG],
    ['41 emoji', `VIP,${'😀'.repeat(41)}`, LONG],
    ['U+0000', ['VIP', 'a\0b'], UNSTORABLE],
    ['half a character', ['\ud83d'], UNSTORABLE],
  ])('%s', async (_what, tags, sentence) => {
    expect(await tag(id, { tags })).toEqual(refused(sentence));
  });
});

describe('an unknown conversation is reported before invalid tags', () => {
  let foreign: string;
  beforeAll(async () => {
    foreign = await makeConversation(stranger);
  });

  test.each<[string, () => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', () => foreign],
    ['an id of another workspace in upper case', () => foreign.toUpperCase()],
    ['an invalid id', () => '42'],
    ['an id with U+0000', () => `${id}%00`],
  ])('%s', async (_what, which) => {
    for (const body of [{ tags: ['VIP'] }, { tags: [] }, {}, { tags: 7 }]) {
      expect(await tag(which(), body)).toEqual({
        status: 404,
        body: { message: 'The conversation was not found.' },
      });
    }
  });
});

test('tags of a merged conversation are refused, even those that it already has', async () => {
  const merged = await makeConversation(connection, { mergedIntoId: id });
  const sentence = `This conversation was merged into another one. Use ${conversationUrl(id)} instead.`;
  for (const tags of [['VIP'], ['Shipping']]) {
    expect(await tag(merged, { tags })).toEqual(refused(sentence, 'conversation'));
  }
});
