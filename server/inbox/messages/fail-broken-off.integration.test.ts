import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { BROKEN_OFF, failBrokenOff, sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';

let connection: Awaited<ReturnType<typeof makeConnection>>;
let conversationId: string;
const { service, mail } = withMailServer();
beforeEach(async () => {
  connection = await makeConnection();
  conversationId = await makeConversation(connection);
});

/** Inserts a message whose sending started some seconds ago and has no outcome. Returns its id. */
async function interrupted(secondsAgo: number): Promise<string> {
  const { workspaceId } = connection;
  const author = { direction: 'outbound', authorKind: 'workflow' } as const;
  const sendStartedAt = new Date(Date.now() - secondsAgo * 1000);
  const { id } = await db().message.create({
    data: { ...author, workspaceId, conversationId, content: 'Hi', sendStatus: 'sending', sendStartedAt },
  });
  return id;
}
const saved = (id: string) => db().message.findUniqueOrThrow({ where: { id } });

test('a message fails with a sentence a minute after its sending was interrupted, and a newer one does not change', async () => {
  const [old, fresh] = [await interrupted(61), await interrupted(55)];
  expect(await failBrokenOff()).toBeGreaterThanOrEqual(1);
  expect(await saved(old)).toMatchObject({ sendStatus: 'failed', deliveryError: BROKEN_OFF });
  expect(await saved(fresh)).toMatchObject({ sendStatus: 'sending', deliveryError: null });
  expect(await failBrokenOff()).toBe(0);
});

test('a message whose sending was interrupted is never sent again', async () => {
  const id = await interrupted(61);
  await failBrokenOff();
  await sendQueuedMessage(id);
  await sendQueuedMessage(await interrupted(1));
  const api = apiClient(service.url, connection.accessToken);
  await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello Ada' });
  expect(mail.received.map(({ email }) => email.text?.trim())).toEqual(['Hello Ada']);
  expect(await saved(id)).toMatchObject({ sendStatus: 'failed' });
});

test.each(['sent', 'failed', 'held_for_paywall', 'queued', null] as const)(
  'a message with the status %s does not change',
  async (sendStatus) => {
    const id = await interrupted(3_600);
    await db().message.update({ where: { id }, data: { sendStatus } });
    await failBrokenOff();
    expect(await saved(id)).toMatchObject({ sendStatus, deliveryError: null });
  },
);
