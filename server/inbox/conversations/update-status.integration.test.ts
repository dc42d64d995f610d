import { describe, expect } from 'vitest';
import { conversationSchema } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { ConversationStatus } from '#server/generated/prisma/enums.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Api } from '#test/fixtures/fixture-types.ts';

const STATUSES = Object.values(ConversationStatus);
const PAIRS = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })));

describe('every pair of statuses', () => {
  test.for(PAIRS.filter(({ from, to }) => from !== 'closed' && from !== to))(
    '$from becomes $to and emits one event',
    async ({ from, to }, { api, connection }) => {
      const id = await makeConversation(connection, { status: from });
      const conversation = await changeTo(api, id, to);
      expect(conversation.status).toBe(to);
      const row = await db().conversation.findUniqueOrThrow({ where: { id }, include: { timeline: true } });
      expect(row).toMatchObject({
        status: to,
        statusChangedAt: row.updatedAt,
        timeline: [{ kind: 'status_changed', data: { from, to } }],
      });
      expect(await recordedEvents(connection.workspaceId)).toEqual([
        {
          id: expect.any(String),
          event: 'conversation.status_changed',
          occurred_at: conversation.updated_at,
          conversation,
          previous_status: from,
        },
      ]);
    },
  );

  test.for(STATUSES)(
    'setting %s again changes nothing and emits no event',
    async (status, { api, connection }) => {
      const id = await makeConversation(connection, { status });
      const before = await rowsOfWorkspace(connection.workspaceId);
      expect((await changeTo(api, id, status)).status).toBe(status);
      expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
    },
  );

  test.for(PAIRS.filter(({ from, to }) => from === 'closed' && from !== to))(
    'closed does not become $to',
    async ({ to }, { api, connection }) => {
      const id = await makeConversation(connection, { status: 'closed' });
      const before = await rowsOfWorkspace(connection.workspaceId);
      const { status, body } = await patch(api, id, { status: to, priority: 'high' });
      const sentence = `The status cannot change from closed to ${to}: a closed conversation stays closed. Only open, pending and solved conversations can change.`;
      expect({ status, body }).toEqual({
        status: 422,
        body: { message: sentence, errors: { status: [sentence] } },
      });
      expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
    },
  );
});

test('priority, assignee and team of a closed conversation can change, even if its own status is sent', async ({
  api,
  connection,
}) => {
  const id = await makeConversation(connection, { status: 'closed' });
  const changes = { priority: 'low', assignee_id: 'none', team_id: 'none' };
  expect(await patch(api, id, { ...changes, status: 'closed' })).toMatchObject({
    status: 200,
    body: { status: 'closed', priority: 'low', assignee: null, team: null },
  });
});

test('resolved_at is set each time a conversation is solved, and stays when it is reopened, pending or closed', async ({
  api,
  connection,
}) => {
  const id = await makeConversation(connection, { resolvedAt: null });
  expect((await changeTo(api, id, 'pending')).resolved_at).toBeNull();
  const first = await changeTo(api, id, 'solved');
  expect(first.resolved_at).toBe(first.updated_at);
  expect((await changeTo(api, id, 'solved')).resolved_at).toBe(first.resolved_at);
  for (const status of ['open', 'pending'] as const) {
    expect((await changeTo(api, id, status)).resolved_at).toBe(first.resolved_at);
  }
  const second = await changeTo(api, id, 'solved');
  expect(second.resolved_at).toBe(second.updated_at);
  expect(second.resolved_at).not.toBe(first.resolved_at);
  expect((await changeTo(api, id, 'closed')).resolved_at).toBe(second.resolved_at);
});

test('closing without solving sets no resolved_at', async ({ api, connection }) => {
  const id = await makeConversation(connection, { resolvedAt: null });
  expect(await changeTo(api, id, 'closed')).toMatchObject({ status: 'closed', resolved_at: null });
});

const patch = (api: Api, id: string, body: object) => api('PATCH', `/conversations/${id}`, body);

async function changeTo(api: Api, id: string, status: ConversationStatus) {
  const response = await patch(api, id, { status });
  expect(response.status).toBe(200);
  return conversationSchema.parse(response.body);
}
