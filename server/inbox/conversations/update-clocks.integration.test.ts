import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';

describe('pending', () => {
  test('pauses the resolution clock and lets the first response clock run', async ({
    api,
    connection,
    conversation: id,
  }) => {
    const due = await startClocks(connection, id);
    await patch(api, id, { status: 'pending' });
    const { statusChangedAt } = await storedConversation(id);
    expect(await clock(id, 'resolution')).toMatchObject({
      pausedAt: statusChangedAt,
      dueAt: due.resolution,
      stoppedAt: null,
    });
    expect(await clock(id, 'first_response')).toMatchObject({
      pausedAt: null,
      stoppedAt: null,
      dueAt: due.first_response,
    });
  });

  test.for([
    ['reopening resumes the resolution clock, with a due time moved by the length of the pause', 'open'],
    ['solving and then reopening resumes it in the same way', 'solved'],
  ] as const)('%s', async ([_what, first], { api, connection, conversation: id }) => {
    const due = await startClocks(connection, id);
    await patch(api, id, { status: 'pending' });
    const pausedAt = hoursFrom(new Date(), -1.5);
    await db().slaClock.updateMany({ where: { conversationId: id, kind: 'resolution' }, data: { pausedAt } });
    await patch(api, id, { status: first });
    if (first === 'solved') {
      expect(await clock(id, 'resolution')).toMatchObject({ stoppedAt: pausedAt, pausedAt: null });
      await patch(api, id, { status: 'open' });
    }
    const { statusChangedAt } = await storedConversation(id);
    const pauseMs = statusChangedAt.getTime() - pausedAt.getTime();
    expect(await clock(id, 'resolution')).toMatchObject({
      pausedAt: null,
      stoppedAt: null,
      dueAt: new Date(due.resolution.getTime() + pauseMs),
    });
    expect(pauseMs).toBeGreaterThanOrEqual(1.5 * HOUR_MS);
  });
});

describe.each(['solved', 'closed'] as const)('%s', (status) => {
  test('stops every clock without a breach', async ({ api, connection, conversation: id }) => {
    await startClocks(connection, id);
    await patch(api, id, { status });
    const { statusChangedAt } = await storedConversation(id);
    for (const kind of ['first_response', 'resolution'] as const) {
      expect(await clock(id, kind)).toMatchObject({
        stoppedAt: statusChangedAt,
        pausedAt: null,
        breachedAt: null,
      });
    }
  });

  test('marks overdue clocks as breached at their due time', async ({
    api,
    connection,
    conversation: id,
  }) => {
    await startClocks(connection, id);
    const dueAt = hoursFrom(new Date(), -1);
    await db().slaClock.updateMany({ where: { conversationId: id }, data: { dueAt } });
    await patch(api, id, { status });
    for (const kind of ['first_response', 'resolution'] as const) {
      expect(await clock(id, kind)).toMatchObject({ dueAt, breachedAt: dueAt, stoppedAt: expect.any(Date) });
    }
  });

  test('works without clocks', async ({ api, conversation: id }) => {
    await patch(api, id, { status });
    expect(await db().slaClock.count({ where: { conversationId: id } })).toBe(0);
  });
});

describe('a solved conversation', () => {
  test.for(['open', 'pending'] as const)(
    'that becomes %s gets only its resolution clock back',
    async (status, { api, connection, conversation: id }) => {
      const due = await startClocks(connection, id);
      await patch(api, id, { status: 'solved' });
      const stoppedAt = hoursFrom(new Date(), -3);
      await db().slaClock.updateMany({ where: { conversationId: id }, data: { stoppedAt } });
      await patch(api, id, { status });
      const stoppedMs = (await storedConversation(id)).statusChangedAt.getTime() - stoppedAt.getTime();
      expect(await clock(id, 'resolution')).toMatchObject(
        status === 'open'
          ? { stoppedAt: null, pausedAt: null, dueAt: new Date(due.resolution.getTime() + stoppedMs) }
          : { stoppedAt: null, pausedAt: stoppedAt, dueAt: due.resolution },
      );
      expect(await clock(id, 'first_response')).toMatchObject({ stoppedAt, dueAt: due.first_response });
      expect(await db().slaClock.count({ where: { conversationId: id } })).toBe(2);
    },
  );
});

test('changes of priority, assignee and team do not change the clocks', async ({
  api,
  connection,
  conversation: id,
}) => {
  await startClocks(connection, id);
  const before = await db().slaClock.findMany({ where: { conversationId: id } });
  await patch(api, id, { status: 'open', priority: 'urgent', assignee_id: 'none', team_id: 'none' });
  expect(await db().slaClock.findMany({ where: { conversationId: id } })).toEqual(before);
});

const HOUR_MS = 3_600_000;

const hoursFrom = (start: Date, hours: number) => new Date(start.getTime() + hours * HOUR_MS);

async function patch(api: Api, id: string, body: { status: ConversationStatus } | object): Promise<void> {
  const response = await api('PATCH', `/conversations/${id}`, body);
  expect(response.status).toBe(200);
}

/** Inserts both clocks, started two hours ago. The first response is due in one hour, the resolution in six. */
async function startClocks(connection: Connected, id: string) {
  const now = new Date();
  const at = { workspaceId: connection.workspaceId, conversationId: id, startedAt: hoursFrom(now, -2) };
  const due = { first_response: hoursFrom(now, 1), resolution: hoursFrom(now, 6) };
  for (const kind of ['first_response', 'resolution'] as const) {
    await db().slaClock.create({ data: { ...at, kind, dueAt: due[kind] } });
  }
  return due;
}

const clock = (id: string, kind: 'first_response' | 'resolution') =>
  db().slaClock.findFirstOrThrow({ where: { conversationId: id, kind } });
