import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { outgoingMessage, queueSend } from '#server/inbox/messages/outgoing-message.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as telegramTest, updateOf } from '#test/fixtures/telegram-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startHangingMailServer } from '#test/servers/hanging-mail-server.ts';
import { startWorker } from '#worker/start-worker.ts';

const test = telegramTest
  .extend('hanging', { scope: 'file' }, async ({ providerServer: _ }, { onCleanup }) => {
    const server = await startHangingMailServer();
    onCleanup(server.stop);
    return server;
  })
  .extend('settings', { scope: 'file' }, ({ hanging }) => ({
    WORKER_CONCURRENCY: '10',
    SMTP_URL: hanging.url,
    HOOKS_CONNECT_TO: '127.0.0.1:1',
  }));

/** Emails that hang for ten seconds each, one after the other. */
const EMAILS = 4;

test('a reply in a chat is sent while a hanging mail server uses up mail’s share of the worker', async ({
  hanging,
  provider,
  telegram,
}) => {
  const bot = await telegram.connectBot();
  await telegram.receive(bot, updateOf());
  const chat = await db().conversation.findFirstOrThrow({ where: { workspaceId: bot.workspaceId } });
  const worker = await startWorker();
  try {
    const email = await makeConnection({ plan: 'growth' });
    for (let number = 0; number < EMAILS; number += 1) {
      await queueMessage({ ...email, channel: 'email', conversationId: await makeConversation(email) });
    }
    await until('a connection to the mail server hangs', () => hanging.open() > 0);
    await queueMessage({ ...bot, channel: 'telegram', conversationId: chat.id });
    await until('the reply reached Telegram', () =>
      provider.calls.some(({ path }) => path.endsWith('/sendMessage')),
    );
    const { workspaceId } = email;
    expect(await db().message.count({ where: { workspaceId, deferrals: 0 } })).toBeGreaterThan(0);
  } finally {
    await hanging.stop();
    await worker.stop();
  }
});

function queueMessage(input: {
  workspaceId: string;
  conversationId: string;
  channel: 'email' | 'telegram';
}): Promise<void> {
  const { workspaceId, conversationId, channel } = input;
  return inTransaction(async (tx) => {
    const { message, insert } = outgoingMessage({
      id: randomUUID(),
      workspaceId,
      conversationId,
      actor: { kind: 'automatic' },
      content: 'Hello',
      sendStatus: 'queued',
      now: new Date(),
    });
    await tx.$executeRaw(insert);
    await queueSend(tx, message.id, { channel });
  });
}
