import fc from 'fast-check';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';

test('clocks, responses and events match the status after any sequence of changes', async ({ service }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const { id, workspaceId, patch } = await makeScene(service);
      let now = 'open';
      let changes = 0;
      for (const next of steps) {
        const response = await patch(next);
        const possible = now !== 'closed' || next.status === 'closed';
        expect(response.status, `${now} to ${next.status}`).toBe(possible ? 200 : 422);
        if (!possible) continue;
        if (next.status !== now) changes += 1;
        now = next.status;
        expect(response.body).toMatchObject({ status: now });
        await expectClocksOf(id, now);
      }
      const events = await recordedEventsOf(workspaceId, 'conversation.status_changed');
      expect(events).toHaveLength(changes);
      const statuses = ['open', ...events.map(({ conversation }) => conversation.status)];
      expect(events.map(({ previous_status }) => previous_status)).toEqual(statuses.slice(0, -1));
      expect(statuses.at(-1)).toBe(now);
    }),
    { numRuns: 12 },
  );
});

const HOUR_MS = 3_600_000;

const status = fc.constantFrom(...Object.values(ConversationStatus), 'open', 'pending', 'solved');

const step = fc.record(
  { status, priority: fc.constantFrom('low', 'high'), assignee_id: fc.constantFrom('none', 'ben') },
  { requiredKeys: ['status'] },
);

type Step = { status: string; priority?: string; assignee_id?: string };

/** Creates a conversation with both SLA clocks running. The first response is overdue. */
async function makeScene({ url }: { url: string }) {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  const ben = await makeUser('Ben');
  await addMember(workspaceId, ben.id, 'agent');
  const id = await makeConversation(connection);
  for (const [kind, hours] of [
    ['first_response', -1],
    ['resolution', 2],
  ] as const) {
    const dueAt = new Date(Date.now() + hours * HOUR_MS);
    await db().slaClock.create({ data: { workspaceId, conversationId: id, kind, dueAt } });
  }
  const api = apiClient(url, connection.accessToken);
  const patch = ({ assignee_id, ...rest }: Step) =>
    api('PATCH', `/conversations/${id}`, {
      ...rest,
      ...(assignee_id && { assignee_id: assignee_id === 'ben' ? ben.id : assignee_id }),
    });
  return { id, workspaceId, patch };
}

/** Expects that both clocks exist, and are paused or running as the status requires. */
async function expectClocksOf(conversationId: string, status: string): Promise<void> {
  const clocks = await db().slaClock.findMany({ where: { conversationId }, orderBy: { kind: 'asc' } });
  expect(clocks.map(({ kind }) => kind)).toEqual(['first_response', 'resolution']);
  const [firstResponse, resolution] = clocks;
  const isOver = status === 'solved' || status === 'closed';
  expect(resolution?.stoppedAt !== null, `stopped while ${status}`).toBe(isOver);
  expect(resolution?.pausedAt !== null, `paused while ${status}`).toBe(status === 'pending');
  expect(firstResponse?.pausedAt).toBeNull();
  if (isOver)
    expect(firstResponse).toMatchObject({ stoppedAt: expect.any(Date), breachedAt: firstResponse?.dueAt });
}
