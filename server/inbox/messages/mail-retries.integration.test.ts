import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import type { OutgoingFile } from '#server/inbox/channels/channel-adapter.ts';
import { emailChannel } from '#server/inbox/channels/email/email-channel.ts';
import { loadOutgoing } from '#server/inbox/messages/load-outgoing.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Api, Connected, Mail } from '#test/fixtures/fixture-types.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { allMoved, forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { storedMessage } from '#test/fixtures/stored-rows.ts';

const test = mailTest
  .extend('settings', { scope: 'file' }, () => ({ MAIL_RETRY_DELAYS: '60,300' }))
  .extend('brokenUrl', ({ mail: _ }, { onCleanup }) => startBrokenServer(onCleanup));
test.beforeEach(async ({ mail }) => {
  await forgetJobs();
  Object.assign(settings(), { SMTP_URL: mail.url });
});

describe('a reply that the mail server refuses temporarily', () => {
  test('is sent again after the delays, with send_status null until then', async ({
    mail,
    api,
    connection,
  }) => {
    respondWith(mail, 451);
    const { id, ...body } = await reply(api, connection);
    expect(body).toMatchObject({ send_status: null, delivery_error: null });
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'queued', deferrals: 1, externalId: null });
    expect(await waiting()).toEqual([60]);
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'queued', deferrals: 2 });
    expect(await waiting()).toEqual([300]);
    mail.respond();
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent', deliveryError: null });
    expect(mail.received).toHaveLength(3);
    expect(await notified(connection)).toEqual([]);
  });

  test('fails after the last attempt and notifies its author once', async ({ mail, api, connection }) => {
    respondWith(mail, 421);
    const { id } = await reply(api, connection);
    await sendQueuedMessage(id);
    await sendQueuedMessage(id);
    const deliveryError = 'The mail server did not accept the message after several attempts.';
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'failed', deliveryError });
    expect(await notified(connection)).toMatchObject([
      { userId: connection.teammate.id, kind: 'message_failed', data: { messageId: id, why: deliveryError } },
    ]);
    await sendQueuedMessage(id);
    expect(mail.received).toHaveLength(3);
  });

  test('fails immediately when a later attempt is refused permanently', async ({ mail, api, connection }) => {
    respondWith(mail, 451);
    const { id } = await reply(api, connection);
    respondWith(mail, 550);
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({
      sendStatus: 'failed',
      deliveryError: 'The mail server did not accept the message.',
    });
    expect(await notified(connection)).toHaveLength(1);
  });

  test('closes its files, read or not, also if one of them cannot be opened', async ({ api, connection }) => {
    Object.assign(settings(), { SMTP_URL: 'smtp://127.0.0.1:1' });
    const { id } = await reply(api, connection);
    await db().message.update({ where: { id }, data: { sendStatus: 'sending' } });
    const message = await loadOutgoing(id);
    const file = { id, name: 'a.txt', contentType: 'text/plain', sizeBytes: 5, contentId: null };
    const isClosed = async (others: OutgoingFile[]) => {
      const content = new Readable({ read: () => undefined });
      const attachments = [{ ...file, open: async () => content }, ...others];
      expect(await emailChannel.send({ ...message, attachments })).toMatchObject({ status: 'deferred' });
      return content.destroyed;
    };
    expect(await isClosed([])).toBe(true);
    expect(await isClosed([{ ...file, open: () => Promise.reject(new Error('gone')) }])).toBe(true);
  });

  test('is sent again when the mail server refuses connections', async ({ mail, api, connection }) => {
    Object.assign(settings(), { SMTP_URL: 'smtp://127.0.0.1:1' });
    const { id, send_status } = await reply(api, connection);
    expect(send_status).toBeNull();
    expect(await waiting()).toEqual([60]);
    Object.assign(settings(), { SMTP_URL: mail.url });
    await sendQueuedMessage(id);
    expect(await storedMessage(id)).toMatchObject({ sendStatus: 'sent' });
  });
});

describe('an email that may have been accepted is not sent again', () => {
  test('when the connection breaks after the complete email was sent', async ({
    api,
    connection,
    brokenUrl,
  }) => {
    Object.assign(settings(), { SMTP_URL: brokenUrl });
    expect(await reply(api, connection)).toMatchObject({
      send_status: 'failed',
      delivery_error:
        'The connection to the mail server broke, so the contact may not have received the message.',
    });
    expect(await waiting()).toEqual([]);
  });
});

const respondWith = (mail: Mail, responseCode: number) =>
  mail.respond(() => {
    throw Object.assign(new Error('Greylisted'), { responseCode });
  });

async function reply(api: Api, connection: Connected): Promise<ReplyRecord> {
  const conversationId = await makeConversation(connection);
  const { body } = await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello Ada' });
  return body as ReplyRecord;
}

const notified = (connection: Connected) =>
  db().notification.findMany({ where: { workspaceId: connection.workspaceId } });

/** Returns the delay of each waiting message, in seconds rounded up to whole minutes. */
async function waiting(): Promise<number[]> {
  await allMoved();
  const jobs = await db().$queryRaw<{ seconds: number }[]>`
    select (ceil(extract(epoch from run_at - now()) / 60) * 60)::int as seconds from graphile_worker.jobs
    where task_identifier = 'send-message'`;
  return jobs.map(({ seconds }) => seconds);
}

/** Starts a mail server that breaks the connection after the complete email. Returns its URL. */
async function startBrokenServer(onCleanup: (stop: () => Promise<void>) => void): Promise<string> {
  const server = createServer(breakAfterData);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Accepts SMTP commands and closes the connection after the complete email. */
function breakAfterData(socket: Socket): void {
  socket.on('error', () => {}).write('220 broken.test ESMTP\r\n');
  socket.on('data', (data) => {
    const text = data.toString();
    if (/\r\n\.\r\n$/.test(text)) socket.destroy();
    else if (/^DATA/i.test(text)) socket.write('354 go on\r\n');
    else if (/^[A-Z]{4}\b/.test(text)) socket.write('250 broken.test\r\n');
  });
}
