import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { LONG_AGO, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
});

/** Sends a reply and returns its created_at. */
async function reply(conversationId: string): Promise<Date> {
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello' });
  expect(response.status).toBe(201);
  return new Date((response.body as { created_at: string }).created_at);
}

const running = { stoppedAt: null, breachedAt: null };

/** Creates a conversation with a clock of each kind, due in the given minutes. */
async function withClocks(minutes: number): Promise<string> {
  const conversationId = await makeConversation(connection, { channel: 'webchat' });
  const { workspaceId } = connection;
  const dueAt = new Date(Date.now() + minutes * 60_000);
  const kinds = ['first_response', 'resolution'] as const;
  await db().slaClock.createMany({
    data: kinds.map((kind) => ({ workspaceId, conversationId, kind, dueAt, startedAt: LONG_AGO })),
  });
  return conversationId;
}
const clocks = async (conversationId: string) => {
  const rows = await db().slaClock.findMany({ where: { conversationId }, orderBy: { kind: 'asc' } });
  return rows.map(({ kind, stoppedAt, breachedAt }) => ({ kind, stoppedAt, breachedAt }));
};

test('a reply stops the first response clock, not the resolution clock', async () => {
  const id = await withClocks(5);
  const stoppedAt = await reply(id);
  expect(await clocks(id)).toEqual([
    { kind: 'first_response', stoppedAt, breachedAt: null },
    { kind: 'resolution', ...running },
  ]);
  await reply(id);
  expect((await clocks(id))[0]).toMatchObject({ stoppedAt });
});

test('a late reply stops the first response clock as breached', async () => {
  const id = await withClocks(-5);
  const stoppedAt = await reply(id);
  expect(await clocks(id)).toEqual([
    { kind: 'first_response', stoppedAt, breachedAt: expect.any(Date) },
    { kind: 'resolution', ...running },
  ]);
});
