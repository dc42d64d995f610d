import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation, recordOf } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { type Connection, rate, ratings, setStatus, solveAgain, test } from '#test/fixtures/rating-test.ts';

test('a rating is stored with its comment and timeline entry, notifies the assignee and emits an event', async ({
  connection,
  solved,
}) => {
  const { workspaceId, teammate } = connection;
  const { ratingId, conversationId } = await rate(connection, solved, {
    score: 4,
    comment: ' Quick,\nand kind 😀 ',
  });
  const comment = 'Quick,\nand kind 😀';
  expect(conversationId).toBe(solved);
  expect(await ratings(connection)).toMatchObject([
    { id: ratingId, conversationId: solved, score: 4, comment },
  ]);
  expect(await db().timelineEntry.findMany({ where: { conversationId: solved } })).toMatchObject([
    { kind: 'rated', actorKind: 'contact', data: { score: 4, comment } },
  ]);
  expect(await db().notification.findMany({ where: { workspaceId } })).toMatchObject([
    { userId: teammate.id, kind: 'rated', conversationId: solved, data: { ratingId, score: 4 } },
  ]);
  const conversation = await recordOf(solved);
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

test('the thread shows the contact, the score and the comment', async ({ connection, solved }) => {
  await rate(connection, solved, { score: 2, comment: 'Too late' });
  await solveAgain(connection, solved);
  await rate(connection, solved, { score: 5 });
  const view = await getConversation(db(), { workspaceId: connection.workspaceId, id: solved });
  expect(view?.items.filter(({ kind }) => kind === 'entry')).toMatchObject([
    { sentence: 'Ada Lovelace rated this conversation 2 of 5', quote: 'Too late' },
    { sentence: expect.stringContaining('from solved to open') },
    { sentence: expect.stringContaining('from open to solved') },
    { sentence: 'Ada Lovelace rated this conversation 5 of 5', quote: null },
  ]);
});

test('a rating does not change the status, and the newer of two ratings is the sample', async ({
  service,
  connection,
  solved,
}) => {
  await rate(connection, solved, { score: 1 });
  await solveAgain(connection, solved);
  await rate(connection, solved, { score: 5, comment: 'Better' });
  expect(await ratings(connection)).toHaveLength(2);
  expect((await db().conversation.findUniqueOrThrow({ where: { id: solved } })).status).toBe('solved');
  const samples = sampleClient(service.url, connection.accessToken);
  expect(await samples('conversation.rated')).toMatchObject([{ rating: { score: 5, comment: 'Better' } }]);
});

describe('an attacker who rates a conversation repeatedly', () => {
  test('changes one rating everywhere, and notifies no one again', async ({
    service,
    connection,
    solved,
  }) => {
    await rate(connection, solved, { score: 2, comment: 'Slow' });
    const { ratingId } = await rate(connection, solved, { score: 5 });
    expect(await traces(connection, solved)).toEqual(ONCE);
    expect(await ratings(connection)).toMatchObject([{ id: ratingId, score: 5, comment: null }]);
    const view = await getConversation(db(), { workspaceId: connection.workspaceId, id: solved });
    expect(view?.items).toMatchObject([{ score: 5, quote: null }]);
    const [notification] = await db().notification.findMany({
      where: { workspaceId: connection.workspaceId },
    });
    expect(notification?.data).toEqual({ ratingId, score: 5 });
    const samples = sampleClient(service.url, connection.accessToken);
    expect(await samples('conversation.rated')).toMatchObject([{ rating: { score: 5, comment: null } }]);
  });

  test('updates the bells and threads of open pages', async ({ connection, solved }) => {
    await rate(connection, solved, { score: 1 });
    const correct = () => rate(connection, solved, { score: 5 });
    expect(await publishedTopics(connection.workspaceId, correct)).toEqual([
      'conversations',
      'notifications',
    ]);
  });

  test('changes one rating with ten parallel calls', async ({ connection, solved }) => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => rate(connection, solved, { score: (n % 5) + 1 })));
    expect(await traces(connection, solved)).toEqual(ONCE);
  });

  test('changes one rating after the conversation was reopened, closed or merged', async ({
    connection,
    solved,
  }) => {
    await rate(connection, solved, { score: 2 });
    await setStatus(connection, solved, 'open');
    await rate(connection, solved, { score: 3 });
    await setStatus(connection, solved, 'closed');
    await rate(connection, solved, { score: 4 });
    const into = await makeConversation(connection, { status: 'solved' });
    await mergeAs(connection, solved, into);
    expect(await rate(connection, solved, { score: 5 })).toMatchObject({ conversationId: solved });
    expect(await ratings(connection)).toMatchObject([{ conversationId: solved, score: 5 }]);
    expect((await recordedEvents(connection.workspaceId)).map(({ event }) => event)).toEqual([
      'conversation.rated',
      'conversation.status_changed',
      'conversation.status_changed',
    ]);
  });

  test('changes one rating of a conversation that was closed without being solved', async ({
    connection,
    solved,
  }) => {
    const conversationId = await makeConversation(connection, { status: 'closed', resolvedAt: null });
    await rate(connection, solved, { conversationId, score: 1 });
    await rate(connection, solved, { conversationId, score: 2 });
    expect(await ratings(connection)).toMatchObject([{ conversationId, score: 2 }]);
  });
});

test('the rating of an unassigned conversation notifies no one', async ({ connection, solved }) => {
  await rate(connection, solved, {
    conversationId: await makeConversation(connection, {
      status: 'solved',
      assigneeId: null,
      assignedAt: null,
    }),
  });
  expect(await db().notification.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

describe('a conversation can be rated', () => {
  test.for([
    ['solved', { status: 'solved' }],
    ['closed without having been solved', { status: 'closed', resolvedAt: null }],
    ['closed after it was solved', { status: 'closed' }],
    ['open again after it was solved', { status: 'open' }],
    ['pending after it was solved', { status: 'pending' }],
  ] as const)('when it is %s', async ([_what, columns], { connection, solved }) => {
    const conversationId = await makeConversation(connection, columns);
    expect(await rate(connection, solved, { conversationId })).toMatchObject({ conversationId });
  });

  test.for(['open', 'pending'] as const)(
    'not when it is %s and was never solved',
    async (status, { connection, solved }) => {
      const conversationId = await makeConversation(connection, { status, resolvedAt: null });
      const before = await rowsOfWorkspace(connection.workspaceId);
      const sentence = 'This conversation can be rated once it is solved or closed.';
      await expect(rate(connection, solved, { conversationId })).rejects.toMatchObject({
        refusal: 'invalid',
        message: sentence,
        errors: { conversation: [sentence] },
      });
      expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
    },
  );

  test('not by an attacker who has an unknown id or one of another workspace', async ({
    connection,
    solved,
  }) => {
    const foreign = await makeConversation(await makeConnection(), { status: 'solved' });
    for (const conversationId of ['no id', randomUUID(), foreign]) {
      await expect(rate(connection, solved, { conversationId })).rejects.toMatchObject({
        refusal: 'not_found',
        message: 'The conversation was not found.',
      });
    }
    expect(await db().rating.count({ where: { conversationId: foreign } })).toBe(0);
  });
});

describe('the rating of a merged conversation', () => {
  test('is stored in the merge target and notifies its assignee', async ({ connection, solved }) => {
    const ben = await makeUser('Ben');
    await addMember(connection.workspaceId, ben.id, 'agent');
    const into = await makeConversation(connection, { resolvedAt: null, assigneeId: ben.id });
    await mergeAs(connection, solved, into);
    expect(await rate(connection, solved)).toMatchObject({ conversationId: into });
    expect(await ratings(connection)).toMatchObject([{ conversationId: into }]);
    expect(await recordedEvents(connection.workspaceId)).toMatchObject([
      { event: 'conversation.rated', conversation: { id: into } },
    ]);
    expect(
      await db().notification.findMany({ where: { workspaceId: connection.workspaceId } }),
    ).toMatchObject([{ userId: ben.id }]);
  });

  test('is possible when only the merge target was solved', async ({ connection, solved }) => {
    const open = await makeConversation(connection, { resolvedAt: null });
    await mergeAs(connection, open, solved);
    expect(await rate(connection, solved, { conversationId: open })).toMatchObject({
      conversationId: solved,
    });
  });

  test('is refused when neither conversation was solved', async ({ connection, solved }) => {
    const [one, other] = [
      await makeConversation(connection, { resolvedAt: null }),
      await makeConversation(connection, { resolvedAt: null }),
    ];
    await mergeAs(connection, one, other);
    await expect(rate(connection, solved, { conversationId: one })).rejects.toMatchObject({
      refusal: 'invalid',
    });
  });
});

describe('an invalid rating is refused', () => {
  test.for([0, 6, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'a score of %d',
    async (score, { connection, solved }) => {
      const sentence = 'The score must be a whole number from 1 to 5.';
      await expect(rate(connection, solved, { score })).rejects.toMatchObject({
        refusal: 'invalid',
        errors: { score: [sentence] },
      });
    },
  );

  test.for([
    ['2,001 characters', 'x'.repeat(2_001), 'The comment must be at most 2,000 characters.'],
    ['2,001 emoji', '😀'.repeat(2_001), 'The comment must be at most 2,000 characters.'],
    ['U+0000', 'a\0b', 'The comment contains a character that cannot be stored. Remove it.'],
    ['half a character', 'a\ud83d', 'The comment contains a character that cannot be stored. Remove it.'],
  ] as const)('a comment of %s', async ([_what, comment, sentence], { connection, solved }) => {
    await expect(rate(connection, solved, { comment })).rejects.toMatchObject({
      refusal: 'invalid',
      message: sentence,
      errors: { comment: [sentence] },
    });
  });

  test.for([1, 2, 3, 4, 5])('but a score of %d is stored', async (score, { connection, solved }) => {
    await rate(connection, solved, { score });
    expect(await ratings(connection)).toMatchObject([{ score }]);
  });

  test.for([
    [null, null],
    ['', null],
    [' \n\u00a0', null],
    [` ${'😀'.repeat(2_000)}\n`, '😀'.repeat(2_000)],
  ] as const)('but the comment %j is stored', async ([comment, stored], { connection, solved }) => {
    await rate(connection, solved, { comment });
    expect(await ratings(connection)).toMatchObject([{ comment: stored }]);
  });
});

test('the rating of a test conversation is stored, without a notification or event', async ({
  connection,
  solved,
}) => {
  const { workspaceId } = connection;
  await rate(connection, solved, {
    conversationId: await makeConversation(connection, { status: 'solved', isTest: true }),
  });
  expect(await ratings(connection)).toHaveLength(1);
  expect(await recordedEvents(workspaceId)).toEqual([]);
  expect(await db().sample.count({ where: { workspaceId } })).toBe(0);
  expect(await db().notification.count({ where: { workspaceId } })).toBe(0);
});

const traces = async (connection: Connection, solved: string) => ({
  ratings: (await ratings(connection)).length,
  entries: await db().timelineEntry.count({ where: { conversationId: solved, kind: 'rated' } }),
  notifications: await db().notification.count({ where: { workspaceId: connection.workspaceId } }),
  events: (await recordedEvents(connection.workspaceId)).length,
});

const ONCE = { ratings: 1, entries: 1, notifications: 1, events: 1 };
