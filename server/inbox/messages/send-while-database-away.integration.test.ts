import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type Break, brokenOff } from '#test/faults/break-off.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';

const { mail } = withMailServer();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  await forgetJobs();
  connection = await makeConnection();
});

/** Inserts a reply that is queued for email. */
async function queuedReply(): Promise<string> {
  const { workspaceId, teammate } = connection;
  const conversationId = await makeConversation(connection);
  const { id } = await db().message.create({
    data: {
      workspaceId,
      conversationId,
      direction: 'outbound',
      content: 'Hello Ada',
      authorKind: 'teammate',
      authorId: teammate.id,
      authorName: teammate.name,
      sendStatus: 'queued',
    },
  });
  return id;
}

test.each(['is cut before', 'is cut during'] as const)(
  'an email is sent and recorded once when the database connection %s any statement',
  async (how: Break) => {
    const count = (await statementsOf(async () => sendQueuedMessage(await queuedReply()))).length;
    for (let at = 1; at <= count; at += 1) {
      const id = await queuedReply();
      const before = mail.received.length;
      const error = await brokenOff(() => sendQueuedMessage(id), { at, how, url: settings().DATABASE_URL });
      const { sendStatus } = await db().message.findUniqueOrThrow({ where: { id } });
      const place = `statement ${at} of ${count}`;
      expect([error, sendStatus, mail.received.length - before], place).toEqual([undefined, 'sent', 1]);
    }
  },
);

test('an email that was marked as failed while its worker waited for the database is not sent', async () => {
  const id = await queuedReply();
  await db().message.update({ where: { id }, data: { sendStatus: 'failed', deliveryError: 'Broken off' } });
  await sendMessage(id);
  expect(mail.received).toHaveLength(0);
  expect(await db().message.findUniqueOrThrow({ where: { id } })).toMatchObject({
    deliveryError: 'Broken off',
  });
});
