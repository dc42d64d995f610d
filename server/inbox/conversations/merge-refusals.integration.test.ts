import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { withTestService } from '#test/fixtures/service.ts';

type Connected = Awaited<ReturnType<typeof makeConnection>>;

withTestService();
let connection: Connected;
let abroad: Connected;
let open: string;
let another: string;
let merged: string;
let tested: string;
let foreign: string;
beforeAll(async () => {
  connection = await makeConnection();
  abroad = await makeConnection();
  open = await makeConversation(connection);
  another = await makeConversation(connection);
  merged = await makeConversation(connection, { mergedIntoId: open });
  tested = await makeConversation(connection, { isTest: true });
  foreign = await makeConversation(abroad);
});

const merge = (id: string, intoId: string) => mergeAs(connection, id, intoId);

const MERGED = 'This conversation was merged into another one. Use the other conversation instead.';
const ITSELF = 'A conversation cannot be merged into itself.';
const TESTED = 'A conversation from testing the AI agent can only be merged with another test conversation.';

describe('a merge is refused and changes nothing:', () => {
  test.each<[string, () => [string, string], string]>([
    ['a conversation into itself', () => [open, open], ITSELF],
    ['into itself, with one id in upper case', () => [open.toUpperCase(), open], ITSELF],
    ['a merged conversation', () => [merged, another], MERGED],
    ['into a merged conversation', () => [another, merged], MERGED],
    ['a merged conversation into its target again', () => [merged, open], MERGED],
    ['a conversation into one that was merged into it', () => [open, merged], MERGED],
    ['a test conversation with the AI agent into a real one', () => [tested, open], TESTED],
    ['a real conversation into a test conversation', () => [open, tested], TESTED],
  ])('%s', async (_what, ids, message) => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    const refusal = { refusal: 'invalid', message, errors: { conversation: [message] } };
    await expect(merge(...ids())).rejects.toMatchObject(refusal);
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });
});

describe('a merge reports that a conversation was not found:', () => {
  test.each<[string, () => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', () => foreign],
    ['an invalid id', () => 'conversation'],
  ])('%s, on either side, even if the other side could not be merged', async (_what, id) => {
    const refusal = { refusal: 'not_found', message: 'The conversation was not found.' };
    for (const other of [open, merged, tested]) {
      await expect(merge(id(), other)).rejects.toMatchObject(refusal);
      await expect(merge(other, id())).rejects.toMatchObject(refusal);
    }
    expect(await db().conversation.findUnique({ where: { id: foreign } })).toMatchObject({
      mergedIntoId: null,
    });
    expect(await db().timelineEntry.count({ where: { workspaceId: abroad.workspaceId } })).toBe(0);
  });
});

test('two test conversations with the AI agent can be merged', async () => {
  const second = await makeConversation(connection, { isTest: true });
  await merge(tested, second);
  expect(await db().conversation.findUnique({ where: { id: tested } })).toMatchObject({
    mergedIntoId: second,
  });
});
