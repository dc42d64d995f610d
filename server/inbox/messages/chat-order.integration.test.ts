import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as telegramTest, updateOf } from '#test/fixtures/telegram-test.ts';
import type { ProviderServer } from '#test/servers/provider-server.ts';

const test = telegramTest.extend('desk', async ({ telegram, provider }) => {
  const bot = await telegram.connectBot();
  await telegram.receive(bot, updateOf());
  await forgetJobs();
  return openDesk(bot, provider);
});

describe('two replies written one after the other in a chat', () => {
  test('become messages in that order, although their jobs run in another', async ({ desk }) => {
    const ids = [await desk.schedule('First'), await desk.schedule('Second')];
    await desk.passTime();
    await Promise.all(ids.toReversed().map(sendPendingReply));
    expect((await desk.messages()).map(({ content }) => content)).toEqual(['First', 'Second']);
  });

  test('reach the contact in that order, although their jobs run in another', async ({ desk }) => {
    const [first = '', second = ''] = await desk.queueTwo();
    await sendQueuedMessage(second);
    expect(desk.received()).toEqual([]);
    await sendQueuedMessage(first);
    // The second one has a job for its next attempt.
    expect(await queuedJobs()).toContainEqual({ task: 'send-chat-message', payload: { messageId: second } });
    await sendQueuedMessage(second);
    expect(desk.received()).toEqual(['First', 'Second']);
  });

  test('do not wait for one that failed, or that is sent again minutes later', async ({ desk }) => {
    const [first = '', second = ''] = await desk.queueTwo();
    await db().message.update({ where: { id: first }, data: { deferrals: 1 } });
    await sendQueuedMessage(second);
    expect(desk.received()).toEqual(['Second']);
    const [third = '', fourth = ''] = await desk.queueTwo();
    await db().message.update({ where: { id: third }, data: { sendStatus: 'failed' } });
    await sendQueuedMessage(fourth);
    expect(desk.received()).toEqual(['Second', 'Second']);
  });
});

function openDesk(
  { workspaceId, by: author }: { workspaceId: string; by: Parameters<typeof scheduleReply>[0]['author'] },
  provider: ProviderServer,
) {
  const messages = () =>
    db().message.findMany({
      where: { workspaceId, direction: 'outbound' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  const schedule = async (content: string) => {
    const { id: conversationId } = await db().conversation.findFirstOrThrow({ where: { workspaceId } });
    const id = randomUUID();
    await scheduleReply({ workspaceId, conversationId, id, author, content });
    return id;
  };
  /** Lets the time to undo pass. */
  const passTime = () =>
    db().$executeRaw`
      update pending_replies set send_at = send_at - interval '1 minute' where workspace_id = ${workspaceId}::uuid`;
  return {
    messages,
    schedule,
    passTime,
    /** Queues two messages. Returns their ids. */
    queueTwo: async () => {
      const ids = [await schedule('First'), await schedule('Second')];
      await passTime();
      for (const id of ids) await sendPendingReply(id);
      return ids;
    },
    /** Returns the texts that Telegram received. */
    received: () =>
      provider.calls.filter(({ path }) => path.endsWith('/sendMessage')).map(({ body }) => body.text),
  };
}
