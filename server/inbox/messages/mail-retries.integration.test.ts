import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';
import { allMoved, forgetJobs } from '#test/fixtures/queued-jobs.ts';

let connection: Awaited<ReturnType<typeof makeConnection>>;
const { service, mail } = withMailServer({ MAIL_RETRY_DELAYS: '60,300' });
beforeEach(async () => {
  await forgetJobs();
  Object.assign(settings(), { SMTP_URL: mail.url });
  connection = await makeConnection();
});

const respondWith = (responseCode: number) =>
  mail.respond(() => {
    throw Object.assign(new Error('Greylisted'), { responseCode });
  });

async function reply(): Promise<ReplyRecord> {
  const api = apiClient(service.url, connection.accessToken);
  const conversationId = await makeConversation(connection);
  const { body } = await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello Ada' });
  return body as ReplyRecord;
}
const message = (id: string) => db().message.findUniqueOrThrow({ where: { id } });
const notified = () => db().notification.findMany({ where: { workspaceId: connection.workspaceId } });
/** Returns the delay of each waiting message, in seconds rounded up to whole minutes. */
async function waiting(): Promise<number[]> {
  await allMoved();
  const jobs = await db().$queryRaw<{ seconds: number }[]>`
    select (ceil(extract(epoch from run_at - now()) / 60) * 60)::int as seconds from graphile_worker.jobs
    where task_identifier = 'send-message'`;
  return jobs.map(({ seconds }) => seconds);
}

describe('a reply that the mail server refuses temporarily', () => {
  test('is sent again after the delays, with send_status null until then', async () => {
    respondWith(451);
    const { id, ...body } = await reply();
    expect(body).toMatchObject({ send_status: null, delivery_error: null });
    expect(await message(id)).toMatchObject({ sendStatus: 'queued', deferrals: 1, externalId: null });
    expect(await waiting()).toEqual([60]);
    await sendQueuedMessage(id);
    expect(await message(id)).toMatchObject({ sendStatus: 'queued', deferrals: 2 });
    expect(await waiting()).toEqual([300]);
    mail.respond();
    await sendQueuedMessage(id);
    expect(await message(id)).toMatchObject({ sendStatus: 'sent', deliveryError: null });
    expect(mail.received).toHaveLength(3);
    expect(await notified()).toEqual([]);
  });

  test('fails after the last attempt and notifies its author once', async () => {
    respondWith(421);
    const { id } = await reply();
    await sendQueuedMessage(id);
    await sendQueuedMessage(id);
    const deliveryError = 'The mail server did not accept the message after several attempts.';
    expect(await message(id)).toMatchObject({ sendStatus: 'failed', deliveryError });
    expect(await notified()).toMatchObject([
      { userId: connection.teammate.id, kind: 'message_failed', data: { messageId: id, why: deliveryError } },
    ]);
    await sendQueuedMessage(id);
    expect(mail.received).toHaveLength(3);
  });

  test('fails immediately when a later attempt is refused permanently', async () => {
    respondWith(451);
    const { id } = await reply();
    respondWith(550);
    await sendQueuedMessage(id);
    expect(await message(id)).toMatchObject({
      sendStatus: 'failed',
      deliveryError: 'The mail server did not accept the message.',
    });
    expect(await notified()).toHaveLength(1);
  });

  test('is sent again when the mail server refuses connections', async () => {
    Object.assign(settings(), { SMTP_URL: 'smtp://127.0.0.1:1' });
    const { id, send_status } = await reply();
    expect(send_status).toBeNull();
    expect(await waiting()).toEqual([60]);
    Object.assign(settings(), { SMTP_URL: mail.url });
    await sendQueuedMessage(id);
    expect(await message(id)).toMatchObject({ sendStatus: 'sent' });
  });
});

describe('an email that may have been accepted is not sent again', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {}).write('220 broken.test ESMTP\r\n');
      socket.on('data', (data) => {
        const text = data.toString();
        if (/\r\n\.\r\n$/.test(text)) socket.destroy();
        else if (/^DATA/i.test(text)) socket.write('354 go on\r\n');
        else if (/^[A-Z]{4}\b/.test(text)) socket.write('250 broken.test\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('when the connection breaks after the complete email was sent', async () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    Object.assign(settings(), { SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(await reply()).toMatchObject({
      send_status: 'failed',
      delivery_error:
        'The connection to the mail server broke, so the contact may not have received the message.',
    });
    expect(await waiting()).toEqual([]);
  });
});
