import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { lockTargetConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { UNDO_MERGE_DAYS, undoMerge } from '#server/inbox/conversations/undo-merge.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import { makeConversation, type Stage } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

const DAY_MS = 86_400_000;

/** `pair`: ids of a conversation and of the one that it was merged into. */
const test = conversationTest.extend('pair', async ({ connection }) => {
  const [id, intoId] = [await makeConversation(connection), await makeConversation(connection)];
  await mergeAs(connection, id, intoId);
  return { id, intoId };
});

test('a merge can be undone: the conversation is as before, both timelines say so, and no event is emitted', async ({
  connection,
}) => {
  const { workspaceId, teammate } = connection;
  const [id, intoId] = [await makeConversation(connection), await makeConversation(connection)];
  for (const key of ['conversation.tagged', 'message.received'] as const)
    await makeOccurrence(key, connection, { conversationId: id, at: new Date() });
  const before = await Promise.all([storedConversation(id), storedConversation(intoId), samples(id)]);
  expect(before[2].length).toBeGreaterThan(1);
  await mergeAs(connection, id, intoId);
  const eventsBefore = await recordedEvents(workspaceId);
  await undo(connection, id);
  const [from, into, restored] = [
    await storedConversation(id),
    await storedConversation(intoId),
    await samples(id),
  ];
  expect(from).toEqual({ ...before[0], updatedAt: from.updatedAt });
  expect(into).toEqual({
    ...before[1],
    updatedAt: into.updatedAt,
    lastMessageAt: into.lastMessageAt,
    lastInboundAt: into.lastInboundAt,
    waitingSince: into.waitingSince,
  });
  expect(restored).toEqual(before[2]);
  expect(await recordedEvents(workspaceId)).toEqual(eventsBefore);
  const by = { actorId: teammate.id };
  expect((await entries(id)).at(-1)).toMatchObject({ ...by, kind: 'merge_undone', data: { intoId } });
  expect((await entries(intoId)).at(-1)).toMatchObject({
    ...by,
    kind: 'merge_undone_here',
    data: { fromId: id },
  });
});

test('the samples of a conversation whose merge is undone show the newest message of the contact, as their event did, and no automatic one', async ({
  connection,
}) => {
  const [id, intoId] = [await makeConversation(connection), await makeConversation(connection)];
  await makeOccurrence('message.received', connection, { conversationId: id, at: new Date() });
  const before = await samples(id);
  const absence = { content: 'Out of office', automatic: true, createdAt: new Date(Date.now() + 60_000) };
  await db().message.create({
    data: {
      workspaceId: connection.workspaceId,
      conversationId: id,
      direction: 'inbound',
      authorKind: 'contact',
      ...absence,
    },
  });
  await mergeAs(connection, id, intoId);
  await undo(connection, id);
  expect(await samples(id)).toEqual(before);
});

test('messages that were written after the merge stay where they are, and the next ones arrive in each own conversation', async ({
  connection,
  pair: { id, intoId },
}) => {
  const { workspaceId } = connection;
  const target = () => inTransaction((tx) => lockTargetConversation(tx, { workspaceId, id }));
  expect((await target()).conversation.id).toBe(intoId);
  const say = (conversationId: string, content: string) =>
    db().message.create({
      data: {
        workspaceId,
        conversationId,
        direction: 'inbound',
        authorKind: 'contact',
        authorName: 'Luca',
        content,
      },
    });
  await say(id, 'before');
  await say(intoId, 'after');
  expect(await texts(connection, intoId)).toEqual(['before', 'after']);
  await undo(connection, id);
  expect(await texts(connection, intoId)).toEqual(['after']);
  expect(await texts(connection, id)).toEqual(['before']);
  expect((await target()).conversation.id).toBe(id);
});

test('a chain of merges is undone in reverse order, and each conversation gets back what it had', async ({
  connection,
}) => {
  const [first, second, id, intoId, last] = await Promise.all(
    Array.from({ length: 5 }, () => makeConversation(connection)),
  );
  if (!first || !second || !id || !intoId || !last) throw new Error('five conversations');
  const where = async () => {
    const ids = [first, second, id, intoId];
    return Promise.all(ids.map(async (each) => (await storedConversation(each)).mergedIntoId));
  };
  await mergeAs(connection, first, id);
  await mergeAs(connection, second, intoId);
  await mergeAs(connection, id, intoId);
  await mergeAs(connection, intoId, last);
  expect(await where()).toEqual([last, last, last, last]);
  for (const each of [first, second, id]) {
    await expect(undo(connection, each)).rejects.toThrow(
      'merged into another one itself. Undo that merge first',
    );
    expect(
      (await getConversation(db(), { workspaceId: connection.workspaceId, id: each }))?.canUndoMerge,
    ).toBe(false);
  }
  await undo(connection, intoId);
  expect(await where()).toEqual([intoId, intoId, intoId, null]);
  await undo(connection, second);
  expect(await where()).toEqual([intoId, null, intoId, null]);
  await undo(connection, id);
  expect(await where()).toEqual([id, null, null, null]);
  await mergeAs(connection, id, last);
  await undo(connection, id);
  await undo(connection, first);
  expect(await where()).toEqual([null, null, null, null]);
});

test('the SLA clocks that the merge stopped run again, later by the time in between', async ({
  connection,
}) => {
  const { workspaceId } = connection;
  const [id, intoId] = [await makeConversation(connection), await makeConversation(connection)];
  const dueAt = new Date(Date.now() + DAY_MS);
  for (const kind of ['first_response', 'resolution'] as const)
    await db().slaClock.create({ data: { workspaceId, conversationId: id, kind, dueAt } });
  await mergeAs(connection, id, intoId);
  await undo(connection, id);
  const clocks = await db().slaClock.findMany({ where: { conversationId: id } });
  expect(clocks).toHaveLength(2);
  for (const clock of clocks) {
    expect(clock).toMatchObject({ stoppedAt: null, pausedAt: null, breachedAt: null });
    expect(clock.dueAt.getTime()).toBeGreaterThanOrEqual(dueAt.getTime());
  }
});

describe('undoing a merge is refused and changes nothing', () => {
  type Pair = { id: string; intoId: string };
  test.for<[string, (input: Pair & { connection: Connected }) => Promise<unknown>, string]>([
    ['twice', ({ connection, id }) => undo(connection, id), 'already undone'],
    ['after 30 days', ({ id }) => age(id, UNDO_MERGE_DAYS * DAY_MS + 1_000), 'for 30 days'],
    [
      'of a merge whose entry does not name what followed',
      ({ id, intoId }) =>
        db().timelineEntry.updateMany({
          where: { conversationId: id, kind: 'merged' },
          data: { data: { intoId } },
        }),
      'before merges could be undone',
    ],
    [
      'when the other conversation was merged on',
      async ({ connection, intoId }) => mergeAs(connection, intoId, await makeConversation(connection)),
      'Undo that merge first',
    ],
    [
      'when the other conversation was deleted',
      (input) => remove(input, 'deleted'),
      'was deleted. Restore it first',
    ],
    ['when the other conversation is spam', (input) => remove(input, 'spam'), 'is marked as spam'],
  ])('%s', async ([_what, change, problem], { connection, pair }) => {
    await change({ ...pair, connection });
    const before = await rowsOfWorkspace(connection.workspaceId);
    await expect(undo(connection, pair.id)).rejects.toMatchObject({
      refusal: 'invalid',
      errors: { conversation: [expect.stringContaining(problem)] },
    });
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });

  test('for an unknown conversation, one of another workspace and one that is not merged', async ({
    connection,
    teammates,
    pair,
  }) => {
    const elsewhere = { workspaceId: teammates.workspaceId, teammate: connection.teammate };
    for (const id of [randomUUID(), 'no id'])
      await expect(undo(connection, id)).rejects.toThrow('was not found');
    await expect(undo(elsewhere, pair.id)).rejects.toThrow('was not found');
    await expect(undo(connection, pair.intoId)).rejects.toThrow('is not merged');
  });
});

test('a merge of almost 30 days ago can be undone', async ({ connection, pair: { id } }) => {
  await age(id, UNDO_MERGE_DAYS * DAY_MS - 60_000);
  await undo(connection, id);
  expect((await storedConversation(id)).mergedIntoId).toBeNull();
});

test('of several parallel attempts to undo a merge one succeeds, and a parallel merge of the target leaves no half state', async ({
  connection,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const [follower, id, intoId, last] = await Promise.all(
      Array.from({ length: 4 }, () => makeConversation(connection)),
    );
    if (!follower || !id || !intoId || !last) throw new Error('four conversations');
    await mergeAs(connection, follower, id);
    await mergeAs(connection, id, intoId);
    const undone = await Promise.allSettled([1, 2, 3].map(() => undo(connection, id)));
    expect(undone.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await mergeAs(connection, id, intoId);
    const [attempt] = await Promise.allSettled([undo(connection, id), mergeAs(connection, intoId, last)]);
    const isUndone = attempt?.status === 'fulfilled';
    const merged = await Promise.all([follower, id, intoId].map(storedConversation));
    expect(merged.map(({ mergedIntoId }) => mergedIntoId)).toEqual(
      isUndone ? [id, null, last] : [last, last, last],
    );
  }
});

const undo = ({ workspaceId, teammate }: Stage, id: string) =>
  undoMerge({ workspaceId, id, actor: { kind: 'teammate', teammate } });

const remove = (
  { connection: { workspaceId, teammate }, intoId }: { connection: Connected; intoId: string },
  to: 'spam' | 'deleted',
) => removeConversation({ workspaceId, id: intoId, to, actor: { kind: 'teammate', teammate } });

const entries = (conversationId: string) =>
  db().timelineEntry.findMany({ where: { conversationId }, orderBy: { id: 'asc' } });

const samples = (conversationId: string) =>
  db().sample.findMany({ where: { conversationId }, orderBy: [{ event: 'asc' }, { filter: 'asc' }] });

async function texts({ workspaceId }: Stage, id: string): Promise<string[]> {
  const items = (await getConversation(db(), { workspaceId, id }))?.items ?? [];
  return items.flatMap((item) => (item.kind === 'message' ? item.content : []));
}

/** Makes a conversation's merge this much older, in ms. */
const age = (conversationId: string, ms: number) =>
  db().timelineEntry.updateMany({
    where: { conversationId, kind: 'merged' },
    data: { createdAt: new Date(Date.now() - ms) },
  });
