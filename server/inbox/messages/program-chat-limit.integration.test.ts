import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit, LIMITS } from '#server/core/limits/limits.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test, updateOf } from '#test/fixtures/telegram-test.ts';

test('after 300 messages from programs in a chat within an hour, further ones fail with a sentence', async ({
  service,
  telegram,
}) => {
  const bot = await telegram.connectBot();
  await telegram.receive(bot, updateOf());
  const { workspaceId, by } = bot;
  const { id, externalThreadId } = await db().conversation.findFirstOrThrow({ where: { workspaceId } });
  const { accessToken } = await makeConnection({ workspaceId, teammate: by });
  const api = apiClient(service.url, accessToken);
  const reply = async () => (await api('POST', `/conversations/${id}/replies`, { content: 'Hello' })).body;

  expect(await reply()).toMatchObject({ send_status: 'sent' });
  await consumeLimit('program_chat', `${workspaceId} ${externalThreadId}`, LIMITS.program_chat.points - 2);
  expect(await reply()).toMatchObject({ send_status: 'sent' });
  expect(await reply()).toMatchObject({
    send_status: 'failed',
    delivery_error:
      'More than 300 automatic messages were sent in this chat within an hour, so this one was not sent. Check whether two systems are replying to each other, and try again in an hour.',
  });
  const actor = { kind: 'teammate' as const, teammate: by };
  expect(await sendReply({ workspaceId, id, actor, content: 'From a person' })).toMatchObject({
    send_status: 'sent',
  });
});
