import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { rateConversation } from '#server/inbox/ratings/rate-conversation.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
/** Solved and assigned to the connecting teammate. */
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  id = await makeConversation(connection, { status: 'solved' });
});

const rate = (given: Partial<Parameters<typeof rateConversation>[0]> = {}) =>
  rateConversation({
    workspaceId: connection.workspaceId,
    conversationId: id,
    score: 4,
    comment: null,
    ...given,
  });
const ratings = () => db().rating.findMany({ where: { workspaceId: connection.workspaceId } });
const set = (status: 'open' | 'solved' | 'closed') =>
  updateConversation({
    workspaceId: connection.workspaceId,
    id,
    actor: { kind: 'teammate', teammate: connection.teammate },
    changes: { status },
  });
async function solveAgain(): Promise<void> {
  await set('open');
  await set('solved');
}
const merge = (from: string, intoId: string) => mergeAs(connection, from, intoId);

test('a rating is stored with its comment and timeline entry, notifies the assignee and emits an event', async () => {
  const { workspaceId, teammate } = connection;
  const { ratingId, conversationId } = await rate({ score: 4, comment: ' Quick,\nand kind 😀 ' });
  const comment = 'Quick,\nand kind 😀';
  expect(conversationId).toBe(id);
  expect(await ratings()).toMatchObject([{ id: ratingId, conversationId: id, score: 4, comment }]);
  expect(await db().timelineEntry.findMany({ where: { conversationId: id } })).toMatchObject([
    { kind: 'rated', actorKind: 'contact', data: { score: 4, comment } },
  ]);
  expect(await db().notification.findMany({ where: { workspaceId } })).toMatchObject([
    { userId: teammate.id, kind: 'rated', conversationId: id, data: { ratingId, score: 4 } },
  ]);
  const conversation = await recordOf(id);
  expect(await recordedEvents(workspaceId)).toEqual([
    {
      id: expect.any(String),
      event: 'conversation.rated',
      occurred_at: conversation.updated_at,
      conversation,
      rating: { score: 4, comment },
    },
  ]);
});

test('the thread shows the contact, the score and the comment', async () => {
  await rate({ score: 2, comment: 'Too late' });
  await solveAgain();
  await rate({ score: 5 });
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id });
  expect(view?.items.filter(({ kind }) => kind === 'entry')).toMatchObject([
    { sentence: 'Ada Lovelace rated this conversation 2 of 5', quote: 'Too late' },
    { sentence: expect.stringContaining('from solved to open') },
    { sentence: expect.stringContaining('from open to solved') },
    { sentence: 'Ada Lovelace rated this conversation 5 of 5', quote: null },
  ]);
});

test('a rating does not change the status, and the newer of two ratings is the sample', async () => {
  await rate({ score: 1 });
  await solveAgain();
  await rate({ score: 5, comment: 'Better' });
  expect(await ratings()).toHaveLength(2);
  expect((await db().conversation.findUniqueOrThrow({ where: { id } })).status).toBe('solved');
  const samples = sampleClient(service.url, connection.accessToken);
  expect(await samples('conversation.rated')).toMatchObject([{ rating: { score: 5, comment: 'Better' } }]);
});

describe('an attacker who rates a conversation repeatedly', () => {
  const traces = async () => ({
    ratings: (await ratings()).length,
    entries: await db().timelineEntry.count({ where: { conversationId: id, kind: 'rated' } }),
    notifications: await db().notification.count({ where: { workspaceId: connection.workspaceId } }),
    events: (await recordedEvents(connection.workspaceId)).length,
  });
  const ONCE = { ratings: 1, entries: 1, notifications: 1, events: 1 };

  test('changes one rating everywhere, and notifies no one again', async () => {
    await rate({ score: 2, comment: 'Slow' });
    const { ratingId } = await rate({ score: 5 });
    expect(await traces()).toEqual(ONCE);
    expect(await ratings()).toMatchObject([{ id: ratingId, score: 5, comment: null }]);
    const view = await getConversation(db(), { workspaceId: connection.workspaceId, id });
    expect(view?.items).toMatchObject([{ score: 5, quote: null }]);
    const [notification] = await db().notification.findMany({
      where: { workspaceId: connection.workspaceId },
    });
    expect(notification?.data).toEqual({ ratingId, score: 5 });
    const samples = sampleClient(service.url, connection.accessToken);
    expect(await samples('conversation.rated')).toMatchObject([{ rating: { score: 5, comment: null } }]);
  });

  test('changes one rating with ten parallel calls', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => rate({ score: (n % 5) + 1 })));
    expect(await traces()).toEqual(ONCE);
  });

  test('changes one rating after the conversation was reopened, closed or merged', async () => {
    await rate({ score: 2 });
    await set('open');
    await rate({ score: 3 });
    await set('closed');
    await rate({ score: 4 });
    const into = await makeConversation(connection, { status: 'solved' });
    await merge(id, into);
    expect(await rate({ score: 5 })).toMatchObject({ conversationId: id });
    expect(await ratings()).toMatchObject([{ conversationId: id, score: 5 }]);
    expect((await recordedEvents(connection.workspaceId)).map(({ event }) => event)).toEqual([
      'conversation.rated',
      'conversation.status_changed',
      'conversation.status_changed',
    ]);
  });

  test('changes one rating of a conversation that was closed without being solved', async () => {
    const conversationId = await makeConversation(connection, { status: 'closed', resolvedAt: null });
    await rate({ conversationId, score: 1 });
    await rate({ conversationId, score: 2 });
    expect(await ratings()).toMatchObject([{ conversationId, score: 2 }]);
  });
});

test('the rating of an unassigned conversation notifies no one', async () => {
  await rate({
    conversationId: await makeConversation(connection, {
      status: 'solved',
      assigneeId: null,
      assignedAt: null,
    }),
  });
  expect(await db().notification.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

describe('a conversation can be rated', () => {
  test.each([
    ['solved', { status: 'solved' }],
    ['closed without having been solved', { status: 'closed', resolvedAt: null }],
    ['closed after it was solved', { status: 'closed' }],
    ['open again after it was solved', { status: 'open' }],
    ['pending after it was solved', { status: 'pending' }],
  ] as const)('when it is %s', async (_what, columns) => {
    const conversationId = await makeConversation(connection, columns);
    expect(await rate({ conversationId })).toMatchObject({ conversationId });
  });

  test.each(['open', 'pending'] as const)('not when it is %s and was never solved', async (status) => {
    const conversationId = await makeConversation(connection, { status, resolvedAt: null });
    const before = await rowsOfWorkspace(connection.workspaceId);
    const sentence = 'This conversation can be rated once it is solved or closed.';
    await expect(rate({ conversationId })).rejects.toMatchObject({
      refusal: 'invalid',
      message: sentence,
      errors: { conversation: [sentence] },
    });
    expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
  });

  test('not by an attacker who has an unknown id or one of another workspace', async () => {
    const foreign = await makeConversation(await makeConnection(), { status: 'solved' });
    for (const conversationId of ['no id', randomUUID(), foreign]) {
      await expect(rate({ conversationId })).rejects.toMatchObject({
        refusal: 'not_found',
        message: 'The conversation was not found.',
      });
    }
    expect(await db().rating.count({ where: { conversationId: foreign } })).toBe(0);
  });
});

describe('the rating of a merged conversation', () => {
  test('is stored in the merge target and notifies its assignee', async () => {
    const ben = await makeUser('Ben');
    await addMember(connection.workspaceId, ben.id, 'agent');
    const into = await makeConversation(connection, { resolvedAt: null, assigneeId: ben.id });
    await merge(id, into);
    expect(await rate()).toMatchObject({ conversationId: into });
    expect(await ratings()).toMatchObject([{ conversationId: into }]);
    expect(await recordedEvents(connection.workspaceId)).toMatchObject([
      { event: 'conversation.rated', conversation: { id: into } },
    ]);
    expect(
      await db().notification.findMany({ where: { workspaceId: connection.workspaceId } }),
    ).toMatchObject([{ userId: ben.id }]);
  });

  test('is possible when only the merge target was solved', async () => {
    const open = await makeConversation(connection, { resolvedAt: null });
    await merge(open, id);
    expect(await rate({ conversationId: open })).toMatchObject({ conversationId: id });
  });

  test('is refused when neither conversation was solved', async () => {
    const [one, other] = [
      await makeConversation(connection, { resolvedAt: null }),
      await makeConversation(connection, { resolvedAt: null }),
    ];
    await merge(one, other);
    await expect(rate({ conversationId: one })).rejects.toMatchObject({ refusal: 'invalid' });
  });
});

describe('an invalid rating is refused', () => {
  test.each([0, 6, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a score of %d', async (score) => {
    const sentence = 'The score must be a whole number from 1 to 5.';
    await expect(rate({ score })).rejects.toMatchObject({
      refusal: 'invalid',
      errors: { score: [sentence] },
    });
  });

  test.each([
    ['2,001 characters', 'x'.repeat(2_001), 'The comment must be at most 2,000 characters.'],
    ['2,001 emoji', '😀'.repeat(2_001), 'The comment must be at most 2,000 characters.'],
    ['U+0000', 'a\0b', 'The comment contains a character that cannot be stored. Remove it.'],
    ['half a character', 'a\ud83d', 'The comment contains a character that cannot be stored. Remove it.'],
  ])('a comment of %s', async (_what, comment, sentence) => {
    await expect(rate({ comment })).rejects.toMatchObject({
      refusal: 'invalid',
      message: sentence,
      errors: { comment: [sentence] },
    });
  });

  test.each([1, 2, 3, 4, 5])('but a score of %d is stored', async (score) => {
    await rate({ score });
    expect(await ratings()).toMatchObject([{ score }]);
  });

  test.each([
    [null, null],
    ['', null],
    [' \n\u00a0', null],
    [` ${'😀'.repeat(2_000)}\n`, '😀'.repeat(2_000)],
  ])('but the comment %j is stored', async (comment, stored) => {
    await rate({ comment });
    expect(await ratings()).toMatchObject([{ comment: stored }]);
  });
});

test('the rating of a test conversation is stored, without a notification or event', async () => {
  const { workspaceId } = connection;
  await rate({ conversationId: await makeConversation(connection, { status: 'solved', isTest: true }) });
  expect(await ratings()).toHaveLength(1);
  expect(await recordedEvents(workspaceId)).toEqual([]);
  expect(await db().sample.count({ where: { workspaceId } })).toBe(0);
  expect(await db().notification.count({ where: { workspaceId } })).toBe(0);
});
