import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';
import { BROKEN_OFF, failBrokenOff, sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type Break, brokenOff } from '#test/faults/break-off.ts';
import { makeQueuedReply } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { test } from '#test/fixtures/mail-test.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { storedMessage } from '#test/fixtures/stored-rows.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

test('a message fails with a sentence a minute after its sending was interrupted, and a newer one does not change', async ({
  connection,
  conversation: conversationId,
}) => {
  const [old, fresh] = [
    await interrupted(connection, conversationId, 61),
    await interrupted(connection, conversationId, 55),
  ];
  expect(await failBrokenOff()).toBeGreaterThanOrEqual(1);
  expect(await storedMessage(old)).toMatchObject({ sendStatus: 'failed', deliveryError: BROKEN_OFF });
  expect(await storedMessage(fresh)).toMatchObject({ sendStatus: 'sending', deliveryError: null });
  expect(await failBrokenOff()).toBe(0);
});

test('a message whose sending was interrupted is never sent again', async ({
  mail,
  api,
  connection,
  conversation: conversationId,
}) => {
  const id = await interrupted(connection, conversationId, 61);
  await failBrokenOff();
  await sendQueuedMessage(id);
  await sendQueuedMessage(await interrupted(connection, conversationId, 1));
  await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello Ada' });
  expect(mail.received.map(({ email }) => email.text?.trim())).toEqual(['Hello Ada']);
  expect(await storedMessage(id)).toMatchObject({ sendStatus: 'failed' });
});

test.for(['sent', 'failed', 'held_for_paywall', 'queued', null] as const)(
  'a message with the status %s does not change',
  async (sendStatus, { connection, conversation: conversationId }) => {
    const id = await interrupted(connection, conversationId, 3_600);
    await db().message.update({ where: { id }, data: { sendStatus } });
    await failBrokenOff();
    expect(await storedMessage(id)).toMatchObject({ sendStatus, deliveryError: null });
  },
);

test.for(['is cut before', 'is cut during'] as const)(
  'an email is sent and recorded once when the database connection %s any statement',
  async (how: Break, { mail, connection }) => {
    const count = (await statementsOf(async () => sendQueuedMessage(await makeQueuedReply(connection))))
      .length;
    for (let at = 1; at <= count; at += 1) {
      const id = await makeQueuedReply(connection);
      const before = mail.received.length;
      const error = await brokenOff(() => sendQueuedMessage(id), { at, how, url: settings().DATABASE_URL });
      const { sendStatus } = await db().message.findUniqueOrThrow({ where: { id } });
      const place = `statement ${at} of ${count}`;
      expect([error, sendStatus, mail.received.length - before], place).toEqual([undefined, 'sent', 1]);
    }
  },
);

test('an email that was marked as failed while its worker waited for the database is not sent', async ({
  mail,
  connection,
}) => {
  const id = await makeQueuedReply(connection);
  await db().message.update({ where: { id }, data: { sendStatus: 'failed', deliveryError: 'Broken off' } });
  await sendMessage(id);
  expect(mail.received).toHaveLength(0);
  expect(await db().message.findUniqueOrThrow({ where: { id } })).toMatchObject({
    deliveryError: 'Broken off',
  });
});

/** Inserts a message whose sending started some seconds ago and has no outcome. Returns its id. */
async function interrupted(
  connection: Connected,
  conversationId: string,
  secondsAgo: number,
): Promise<string> {
  const { workspaceId } = connection;
  const author = { direction: 'outbound', authorKind: 'workflow' } as const;
  const sendStartedAt = new Date(Date.now() - secondsAgo * 1000);
  const { id } = await db().message.create({
    data: { ...author, workspaceId, conversationId, content: 'Hi', sendStatus: 'sending', sendStartedAt },
  });
  return id;
}
