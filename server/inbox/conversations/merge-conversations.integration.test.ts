import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test as conversationTest } from '#test/fixtures/conversation-test.ts';
import {
  type ConversationColumns,
  LONG_AGO,
  makeConversation,
  type Stage,
} from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { MERGED } from '#test/fixtures/refused.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

const test = conversationTest
  .extend('conversation', ({ connection }) =>
    makeConversation(connection, { updatedAt: LONG_AGO, lastMessageAt: LONG_AGO }),
  )
  .extend('target', ({ connection }) => makeConversation(connection, { updatedAt: LONG_AGO }))
  .extend('ids', ({ connection }) => makeIds(connection));

const INTO_CLOSED = 'That conversation is closed and cannot be reopened. Merge it into this one instead.';
const SUNDAY = new Date('2026-01-04T00:00:00Z');
const MONDAY = new Date('2026-01-05T00:00:00Z');

test('the merged conversation points to the other, and only updated_at of an open one with a newer message changes', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  const before = await storedConversation(intoId);
  await mergeAs(connection, id, intoId);
  const [from, into] = [await storedConversation(id), await storedConversation(intoId)];
  expect(from).toMatchObject({ mergedIntoId: intoId, status: 'open', assigneeId: connection.teammate.id });
  expect(from.updatedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime());
  expect(into).toEqual({ ...before, updatedAt: from.updatedAt });
});

test('both timelines show who merged, and refer to the other conversation', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  await mergeAs(connection, id, intoId);
  const by = { actorKind: 'teammate', actorId: connection.teammate.id, actorName: 'Olivia Owen' };
  expect(await entries(id)).toMatchObject([{ ...by, kind: 'merged', data: { intoId } }]);
  expect(await entries(intoId)).toMatchObject([{ ...by, kind: 'merged_here', data: { fromId: id } }]);
  expect(await sentences(connection, id)).toEqual(['Olivia Owen merged this conversation into another one']);
  expect(await sentences(connection, intoId)).toEqual([
    'Olivia Owen merged another conversation into this one',
  ]);
});

test('a merge emits no event and notifies no teammate', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  await forgetJobs();
  await mergeAs(connection, id, intoId);
  expect(await recordedEvents(connection.workspaceId)).toEqual([]);
  expect(await queuedJobs()).toEqual([]);
  expect(await db().notification.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('the SLA clocks of the merged conversation stop, and those of the other keep running', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  const dueAt = new Date(Date.now() + 3_600_000);
  for (const conversationId of [id, intoId]) {
    for (const kind of ['first_response', 'resolution'] as const) {
      await db().slaClock.create({
        data: { workspaceId: connection.workspaceId, conversationId, kind, dueAt },
      });
    }
  }
  await mergeAs(connection, id, intoId);
  const clocks = (conversationId: string) => db().slaClock.findMany({ where: { conversationId } });
  const { updatedAt } = await storedConversation(id);
  for (const clock of await clocks(id))
    expect(clock).toMatchObject({ stoppedAt: updatedAt, breachedAt: null });
  for (const clock of await clocks(intoId)) expect(clock).toMatchObject({ stoppedAt: null, dueAt });
});

test('the samples of the merged conversation are deleted, and those of the other stay', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  for (const conversationId of [id, intoId]) {
    await makeOccurrence('conversation.tagged', connection, { conversationId, at: new Date() });
    await makeOccurrence('message.received', connection, { conversationId, at: new Date() });
  }
  const count = (conversationId: string) => db().sample.count({ where: { conversationId } });
  const before = await count(intoId);
  expect(before).toBeGreaterThan(1);
  await mergeAs(connection, id, intoId);
  expect([await count(id), await count(intoId)]).toEqual([0, before]);
});

test('conversations merged earlier follow into the new target', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  const [first, second] = [await makeConversation(connection), await makeConversation(connection)];
  const bystander = await makeConversation(connection);
  await mergeAs(connection, first, id);
  await mergeAs(connection, second, id);
  await mergeAs(connection, bystander, await makeConversation(connection));
  const { mergedIntoId } = await storedConversation(bystander);
  await mergeAs(connection, id, intoId);
  for (const each of [first, second, id]) expect((await storedConversation(each)).mergedIntoId).toBe(intoId);
  expect((await storedConversation(bystander)).mergedIntoId).toBe(mergedIntoId);
});

test.for(['open', 'pending', 'solved', 'closed'] as const)(
  'with the status %s, a conversation can be merged into any other, but into a closed one only if it is closed itself',
  async (status, { connection }) => {
    for (const other of ['open', 'pending', 'solved', 'closed'] as const) {
      const id = await makeConversation(connection, { status });
      const intoId = await makeConversation(connection, { status: other });
      const isRefused = other === 'closed' && status !== 'closed';
      const merging = mergeAs(connection, id, intoId);
      if (isRefused)
        await expect(merging).rejects.toMatchObject({ refusal: 'invalid', message: INTO_CLOSED });
      else await merging;
      expect(await storedConversation(id)).toMatchObject({ status, mergedIntoId: isRefused ? null : intoId });
      // Only an open conversation changes the status of the other.
      const after = status === 'open' && !isRefused ? 'open' : other;
      expect(await storedConversation(intoId)).toMatchObject({ status: after });
    }
  },
);

test.for<[string, ConversationColumns]>([
  ['solved', { status: 'solved', waitingSince: LONG_AGO }],
  ['pending', { status: 'pending', waitingSince: MONDAY }],
  ['snoozed', { status: 'pending', snoozedUntil: new Date('2027-01-02T00:00:00Z') }],
])(
  'an open conversation reopens a %s one, whose contact has then been waiting as long',
  async ([_what, columns], { connection }) => {
    const { workspaceId } = connection;
    const times = { waitingSince: SUNDAY, lastInboundAt: MONDAY, lastMessageAt: MONDAY };
    const id = await makeConversation(connection, { status: 'open', ...times });
    const intoId = await makeConversation(connection, { lastInboundAt: LONG_AGO, ...columns });
    const before = await storedConversation(intoId);
    const clock = { workspaceId, conversationId: intoId, kind: 'resolution', dueAt: MONDAY } as const;
    await db().slaClock.create({ data: { ...clock, pausedAt: SUNDAY } });
    await mergeAs(connection, id, intoId);
    expect(await storedConversation(intoId)).toMatchObject({
      status: 'open',
      snoozedUntil: null,
      waitingSince: SUNDAY,
      lastInboundAt: MONDAY,
      // The newer of both.
      lastMessageAt: before.lastMessageAt,
    });
    expect(await db().slaClock.findFirst({ where: { conversationId: intoId } })).toMatchObject({
      pausedAt: null,
      stoppedAt: null,
    });
    expect((await entries(intoId)).map(({ kind }) => kind)).toEqual(['merged_here', 'status_changed']);
    expect(await recordedEvents(workspaceId)).toMatchObject([
      {
        event: 'conversation.status_changed',
        previous_status: columns.status,
        conversation: { id: intoId, status: 'open' },
      },
    ]);
  },
);

test('an open conversation whose contact waits for a reply marks an answered one as waiting', async ({
  connection,
}) => {
  const times = { waitingSince: SUNDAY, lastInboundAt: MONDAY };
  const id = await makeConversation(connection, {
    ...times,
    lastMessageAt: new Date('2027-01-04T00:00:00Z'),
  });
  const intoId = await makeConversation(connection, { lastInboundAt: LONG_AGO, waitingSince: null });
  await mergeAs(connection, id, intoId);
  const { lastMessageAt } = await storedConversation(id);
  expect(await storedConversation(intoId)).toMatchObject({ ...times, lastMessageAt });
});

test('at most 100 conversations are merged into one, also in two steps', async ({
  connection,
  conversation: id,
  target: intoId,
}) => {
  const { workspaceId } = connection;
  const fill = (mergedIntoId: string, count: number) =>
    db().conversation.createMany({
      data: Array.from({ length: count }, () => ({ workspaceId, channel: 'email' as const, mergedIntoId })),
    });
  await fill(id, 40);
  await fill(intoId, 59);
  await mergeAs(connection, id, intoId);
  const merging = mergeAs(connection, await makeConversation(connection), intoId);
  await expect(merging).rejects.toThrow('At most 100 conversations can be merged into one.');
});

test('ids can be in upper case', async ({ connection, conversation: id, target: intoId }) => {
  await mergeAs(connection, id.toUpperCase(), intoId.toUpperCase());
  expect(await storedConversation(id)).toMatchObject({ mergedIntoId: intoId });
  expect(await entries(id)).toMatchObject([{ data: { intoId } }]);
  expect(await entries(intoId)).toMatchObject([{ data: { fromId: id } }]);
});

describe('a merge is refused and changes nothing:', () => {
  const ITSELF = 'A conversation cannot be merged into itself.';
  const TESTED =
    'A conversation from testing the AI agent can only be merged with another test conversation.';
  test.for<[string, (ids: Ids) => [string, string], string]>([
    ['a conversation into itself', ({ open }) => [open, open], ITSELF],
    ['into itself, with one id in upper case', ({ open }) => [open.toUpperCase(), open], ITSELF],
    ['a merged conversation', ({ another, merged }) => [merged, another], MERGED],
    ['into a merged conversation', ({ another, merged }) => [another, merged], MERGED],
    ['a merged conversation into its target again', ({ merged, open }) => [merged, open], MERGED],
    ['a conversation into one that was merged into it', ({ merged, open }) => [open, merged], MERGED],
    ['a test conversation with the AI agent into a real one', ({ open, tested }) => [tested, open], TESTED],
    ['a real conversation into a test conversation', ({ open, tested }) => [open, tested], TESTED],
  ])('%s', async ([_what, choose, message], { connection, ids }) => {
    const before = await rowsOfWorkspace(connection.workspaceId);
    const refusal = { refusal: 'invalid', message, errors: { conversation: [message] } };
    await expect(mergeAs(connection, ...choose(ids))).rejects.toMatchObject(refusal);
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });
});

describe('a merge reports that a conversation was not found:', () => {
  test.for<[string, (foreign: string) => string]>([
    ['an unknown id', () => randomUUID()],
    ['an id of another workspace', (foreign) => foreign],
    ['an invalid id', () => 'conversation'],
  ])(
    '%s, on either side, even if the other side could not be merged',
    async ([_what, choose], { connection, ids, stranger, foreign }) => {
      const id = choose(foreign);
      const refusal = { refusal: 'not_found', message: 'The conversation was not found.' };
      for (const other of [ids.open, ids.merged, ids.tested]) {
        await expect(mergeAs(connection, id, other)).rejects.toMatchObject(refusal);
        await expect(mergeAs(connection, other, id)).rejects.toMatchObject(refusal);
      }
      expect(await db().conversation.findUnique({ where: { id: foreign } })).toMatchObject({
        mergedIntoId: null,
      });
      expect(await db().timelineEntry.count({ where: { workspaceId: stranger.workspaceId } })).toBe(0);
    },
  );
});

test('two test conversations with the AI agent can be merged', async ({ connection, ids }) => {
  const second = await makeConversation(connection, { isTest: true });
  await mergeAs(connection, ids.tested, second);
  expect(await db().conversation.findUnique({ where: { id: ids.tested } })).toMatchObject({
    mergedIntoId: second,
  });
});

const entries = (conversationId: string) => db().timelineEntry.findMany({ where: { conversationId } });

async function sentences(connection: Connected, which: string): Promise<string[]> {
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id: which });
  return (view?.items ?? []).flatMap((item) => (item.kind === 'entry' ? item.sentence : []));
}

type Ids = Awaited<ReturnType<typeof makeIds>>;

/** Creates two open conversations, one that was merged into the first, and one from testing the AI agent. */
async function makeIds(connection: Stage) {
  const [open, another] = [await makeConversation(connection), await makeConversation(connection)];
  const merged = await makeConversation(connection, { mergedIntoId: open });
  return { open, another, merged, tested: await makeConversation(connection, { isTest: true }) };
}
