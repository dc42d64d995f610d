import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let id: string;
beforeEach(async () => {
  connection = await makeConnection();
  id = await makeConversation(connection);
});

const HOUR_MS = 3_600_000;
const hoursFrom = (start: Date, hours: number) => new Date(start.getTime() + hours * HOUR_MS);

async function patch(body: { status: ConversationStatus } | object): Promise<void> {
  const response = await apiClient(service.url, connection.accessToken)(
    'PATCH',
    `/conversations/${id}`,
    body,
  );
  expect(response.status).toBe(200);
}

/** Inserts both clocks, started two hours ago. The first response is due in one hour, the resolution in six. */
async function startClocks() {
  const now = new Date();
  const at = { workspaceId: connection.workspaceId, conversationId: id, startedAt: hoursFrom(now, -2) };
  const due = { first_response: hoursFrom(now, 1), resolution: hoursFrom(now, 6) };
  for (const kind of ['first_response', 'resolution'] as const) {
    await db().slaClock.create({ data: { ...at, kind, dueAt: due[kind] } });
  }
  return due;
}
const clock = (kind: 'first_response' | 'resolution') =>
  db().slaClock.findFirstOrThrow({ where: { conversationId: id, kind } });
const conversation = () => db().conversation.findUniqueOrThrow({ where: { id } });

describe('pending', () => {
  test('pauses the resolution clock and lets the first response clock run', async () => {
    const due = await startClocks();
    await patch({ status: 'pending' });
    const { statusChangedAt } = await conversation();
    expect(await clock('resolution')).toMatchObject({
      pausedAt: statusChangedAt,
      dueAt: due.resolution,
      stoppedAt: null,
    });
    expect(await clock('first_response')).toMatchObject({
      pausedAt: null,
      stoppedAt: null,
      dueAt: due.first_response,
    });
  });

  test.each([
    ['reopening resumes the resolution clock, due later by the pause', 'open'],
    ['solving and then reopening resumes it too, due later by the time since the pause', 'solved'],
  ] as const)('%s', async (_what, first) => {
    const due = await startClocks();
    await patch({ status: 'pending' });
    const pausedAt = hoursFrom(new Date(), -1.5);
    await db().slaClock.updateMany({ where: { conversationId: id, kind: 'resolution' }, data: { pausedAt } });
    await patch({ status: first });
    if (first === 'solved') {
      expect(await clock('resolution')).toMatchObject({ stoppedAt: pausedAt, pausedAt: null });
      await patch({ status: 'open' });
    }
    const { statusChangedAt } = await conversation();
    const pauseMs = statusChangedAt.getTime() - pausedAt.getTime();
    expect(await clock('resolution')).toMatchObject({
      pausedAt: null,
      stoppedAt: null,
      dueAt: new Date(due.resolution.getTime() + pauseMs),
    });
    expect(pauseMs).toBeGreaterThanOrEqual(1.5 * HOUR_MS);
  });
});

describe.each(['solved', 'closed'] as const)('%s', (status) => {
  test('stops every clock without a breach', async () => {
    await startClocks();
    await patch({ status });
    const { statusChangedAt } = await conversation();
    for (const kind of ['first_response', 'resolution'] as const) {
      expect(await clock(kind)).toMatchObject({
        stoppedAt: statusChangedAt,
        pausedAt: null,
        breachedAt: null,
      });
    }
  });

  test('marks overdue clocks as breached at their due time', async () => {
    await startClocks();
    const dueAt = hoursFrom(new Date(), -1);
    await db().slaClock.updateMany({ where: { conversationId: id }, data: { dueAt } });
    await patch({ status });
    for (const kind of ['first_response', 'resolution'] as const) {
      expect(await clock(kind)).toMatchObject({ dueAt, breachedAt: dueAt, stoppedAt: expect.any(Date) });
    }
  });

  test('works without clocks', async () => {
    await patch({ status });
    expect(await db().slaClock.count({ where: { conversationId: id } })).toBe(0);
  });
});

describe('a solved conversation', () => {
  test.each(['open', 'pending'] as const)(
    'that becomes %s gets only its resolution clock back',
    async (status) => {
      const due = await startClocks();
      await patch({ status: 'solved' });
      const stoppedAt = hoursFrom(new Date(), -3);
      await db().slaClock.updateMany({ where: { conversationId: id }, data: { stoppedAt } });
      await patch({ status });
      const stoppedMs = (await conversation()).statusChangedAt.getTime() - stoppedAt.getTime();
      expect(await clock('resolution')).toMatchObject(
        status === 'open'
          ? { stoppedAt: null, pausedAt: null, dueAt: new Date(due.resolution.getTime() + stoppedMs) }
          : { stoppedAt: null, pausedAt: stoppedAt, dueAt: due.resolution },
      );
      expect(await clock('first_response')).toMatchObject({ stoppedAt, dueAt: due.first_response });
      expect(await db().slaClock.count({ where: { conversationId: id } })).toBe(2);
    },
  );
});

test('changes of priority, assignee and team do not change the clocks', async () => {
  await startClocks();
  const before = await db().slaClock.findMany({ where: { conversationId: id } });
  await patch({ status: 'open', priority: 'urgent', assignee_id: 'none', team_id: 'none' });
  expect(await db().slaClock.findMany({ where: { conversationId: id } })).toEqual(before);
});
