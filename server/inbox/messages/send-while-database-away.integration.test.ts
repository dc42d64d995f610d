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

/** A reply that waits to be sent by mail. */
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
  'a mail leaves once and is recorded, whichever statement’s connection %s it',
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

test('a mail that was given up while its worker waited for the database does not leave', async () => {
  const id = await queuedReply();
  await db().message.update({ where: { id }, data: { sendStatus: 'failed', deliveryError: 'Broken off' } });
  await sendMessage(id);
  expect(mail.received).toHaveLength(0);
  expect(await db().message.findUniqueOrThrow({ where: { id } })).toMatchObject({
    deliveryError: 'Broken off',
  });
});
