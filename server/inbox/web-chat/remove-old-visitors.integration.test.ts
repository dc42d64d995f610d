import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { removeOldVisitors } from '#server/inbox/web-chat/remove-old-visitors.ts';
import { chatClient, makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a visitor who did not write within a day is removed, and one who did is not', async ({
  service,
  connection,
}) => {
  const [silent, writer] = [
    await makeChatVisitor(service.url, connection.workspaceId),
    await makeChatVisitor(service.url, connection.workspaceId),
  ];
  await writer.write({ content: 'Hello' });
  await agedBy(connection.workspaceId, 23);
  await removeOldVisitors();
  expect(await silent.see()).toMatchObject({ conversationId: null });
  await agedBy(connection.workspaceId, 25);
  await removeOldVisitors();
  const { token } = silent;
  expect((await chatClient(service.url, { token }).request('GET', 'conversation')).status).toBe(401);
  expect((await writer.see()).messages).toHaveLength(1);
});

test('a visitor whose first message arrives during the removal is not lost', async ({
  service,
  connection,
}) => {
  const late = await makeChatVisitor(service.url, connection.workspaceId);
  await agedBy(connection.workspaceId, 25);
  const [response] = await Promise.all([late.write({ content: 'Hello' }), removeOldVisitors()]);
  if (response.status === 201) {
    expect(viewOf(response).messages).toHaveLength(1);
    expect((await late.see()).messages).toHaveLength(1);
  } else expect(response.status).toBe(401);
});

const agedBy = (workspaceId: string, hours: number) => db().$executeRaw`
  update visitors set created_at = now() - ${hours} * interval '1 hour' where workspace_id = ${workspaceId}::uuid`;
