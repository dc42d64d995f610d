import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { statementsOf } from '#test/database/statements.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a new conversation is written once, with its assignee or the time since which its contact waits', async ({
  api,
  connection: { workspaceId, teammate },
}) => {
  const sent = await statementsOf(async () => {
    const body = { to_email: 'new@elsewhere.test', subject: 'Order', content: 'Hello' };
    expect((await api('POST', '/conversations', body)).status).toBe(201);
    await receiveMessage(...incoming(workspaceId, {}));
  });
  expect(sent.filter(({ text }) => /insert into conversations/.test(text))).toHaveLength(2);
  expect(sent.filter(({ text }) => /update conversations/.test(text))).toEqual([]);
  const select = {
    assigneeId: true,
    assignedAt: true,
    aiAgentSilenced: true,
    lastInboundAt: true,
    waitingSince: true,
    createdAt: true,
    updatedAt: true,
    lastMessageAt: true,
  };
  const rows = await db().conversation.findMany({ where: { workspaceId }, select, orderBy: { id: 'asc' } });
  const [created, received] = rows.slice(-2);
  const at = (row: typeof created) => ({ updatedAt: row?.createdAt, lastMessageAt: row?.createdAt });
  expect(created).toMatchObject({
    ...at(created),
    assigneeId: teammate.id,
    assignedAt: created?.createdAt,
    aiAgentSilenced: true,
    lastInboundAt: null,
    waitingSince: null,
  });
  expect(received).toMatchObject({
    ...at(received),
    assigneeId: null,
    assignedAt: null,
    aiAgentSilenced: false,
    lastInboundAt: received?.createdAt,
    waitingSince: received?.createdAt,
  });
});
