import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let actor: Actor;
let id: string;
let intoId: string;
beforeEach(async () => {
  connection = await makeConnection();
  actor = { kind: 'teammate', teammate: connection.teammate };
  id = await makeConversation(connection, { updatedAt: LONG_AGO });
  intoId = await makeConversation(connection, { updatedAt: LONG_AGO });
});

const merge = (from = id, into = intoId) =>
  mergeConversations({ workspaceId: connection.workspaceId, id: from, intoId: into, actor });
const row = (which: string) => db().conversation.findUniqueOrThrow({ where: { id: which } });
const entries = (conversationId: string) => db().timelineEntry.findMany({ where: { conversationId } });
async function sentences(which: string): Promise<string[]> {
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id: which });
  return (view?.items ?? []).flatMap((item) => (item.kind === 'entry' ? item.sentence : []));
}

test('the merged conversation points to the other, and only updated_at of the other changes', async () => {
  const before = await row(intoId);
  await merge();
  const [from, into] = [await row(id), await row(intoId)];
  expect(from).toMatchObject({ mergedIntoId: intoId, status: 'open', assigneeId: connection.teammate.id });
  expect(from.updatedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime());
  expect(into).toEqual({ ...before, updatedAt: from.updatedAt });
});

test('both timelines show who merged, and refer to the other conversation', async () => {
  await merge();
  const by = { actorKind: 'teammate', actorId: connection.teammate.id, actorName: 'Olivia Owen' };
  expect(await entries(id)).toMatchObject([{ ...by, kind: 'merged', data: { intoId } }]);
  expect(await entries(intoId)).toMatchObject([{ ...by, kind: 'merged_here', data: { fromId: id } }]);
  expect(await sentences(id)).toEqual(['Olivia Owen merged this conversation into another one']);
  expect(await sentences(intoId)).toEqual(['Olivia Owen merged another conversation into this one']);
});

test('a merge emits no event and notifies no teammate', async () => {
  await forgetJobs();
  await merge();
  expect(await recordedEvents(connection.workspaceId)).toEqual([]);
  expect(await queuedJobs()).toEqual([]);
  expect(await db().notification.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

test('the SLA clocks of the merged conversation stop, and those of the other keep running', async () => {
  const dueAt = new Date(Date.now() + 3_600_000);
  for (const conversationId of [id, intoId]) {
    for (const kind of ['first_response', 'resolution'] as const) {
      await db().slaClock.create({
        data: { workspaceId: connection.workspaceId, conversationId, kind, dueAt },
      });
    }
  }
  await merge();
  const clocks = (conversationId: string) => db().slaClock.findMany({ where: { conversationId } });
  const { updatedAt } = await row(id);
  for (const clock of await clocks(id))
    expect(clock).toMatchObject({ stoppedAt: updatedAt, breachedAt: null });
  for (const clock of await clocks(intoId)) expect(clock).toMatchObject({ stoppedAt: null, dueAt });
});

test('the samples of the merged conversation are deleted, and those of the other stay', async () => {
  for (const conversationId of [id, intoId]) {
    await makeOccurrence('conversation.tagged', connection, { conversationId, at: new Date() });
    await makeOccurrence('message.received', connection, { conversationId, at: new Date() });
  }
  const count = (conversationId: string) => db().sample.count({ where: { conversationId } });
  const before = await count(intoId);
  expect(before).toBeGreaterThan(1);
  await merge();
  expect([await count(id), await count(intoId)]).toEqual([0, before]);
});

test('conversations merged earlier follow into the new target', async () => {
  const [first, second] = [await makeConversation(connection), await makeConversation(connection)];
  const bystander = await makeConversation(connection);
  await merge(first, id);
  await merge(second, id);
  await merge(bystander, await makeConversation(connection));
  const { mergedIntoId } = await row(bystander);
  await merge(id, intoId);
  for (const each of [first, second, id]) expect((await row(each)).mergedIntoId).toBe(intoId);
  expect((await row(bystander)).mergedIntoId).toBe(mergedIntoId);
});

test.each(['open', 'pending', 'solved', 'closed'] as const)(
  'a %s conversation can be merged, and can be merged into',
  async (status) => {
    await db().conversation.update({ where: { id }, data: { status } });
    await merge();
    const other = await makeConversation(connection);
    await db().conversation.update({ where: { id: intoId }, data: { status } });
    await merge(other, intoId);
    expect([await row(id), await row(other)]).toMatchObject([
      { status, mergedIntoId: intoId },
      { mergedIntoId: intoId },
    ]);
  },
);

test('ids can be in upper case', async () => {
  await merge(id.toUpperCase(), intoId.toUpperCase());
  expect(await row(id)).toMatchObject({ mergedIntoId: intoId });
  expect(await entries(id)).toMatchObject([{ data: { intoId } }]);
  expect(await entries(intoId)).toMatchObject([{ data: { fromId: id } }]);
});
