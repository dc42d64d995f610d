import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { until } from '#test/fixtures/until.ts';
import { startHangingMailServer } from '#test/servers/hanging-mail-server.ts';

const test = mailTest
  .extend('mailDir', { scope: 'file' }, ({ mailServer: _ }) => mkdtemp(join(tmpdir(), 'mail-')))
  .extend('settings', { scope: 'file' }, ({ mailDir }) => ({
    MAIL_DIR: mailDir,
    HOOKS_CONNECT_TO: '127.0.0.1:1',
  }))
  .extend('startConversation', ({ service, worker: _ }) => conversationStarter(service.url));

test('an email is sent over SMTP from the default mailbox, in the name of the teammate', async ({
  mail,
  startConversation,
}) => {
  const { connection, message } = await startConversation();
  const sent = await finishedMessage(message.id);
  expect(sent).toMatchObject({ sendStatus: 'sent', deliveryError: null });
  const email = mail.received.at(-1)?.email;
  const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId: connection.workspaceId } });
  expect(email?.from).toMatchObject({ name: connection.teammate.name, address: mailbox.address });
  expect(email?.to?.[0]).toMatchObject({ name: 'Ada "x" Lovelace', address: 'ada@example.com' });
  expect(email?.subject).toBe('Grüße');
  expect(email?.text?.trim()).toBe('Hello Ada ✨\nyour order is on its way.');
  expect(email?.messageId).toBe(sent.externalId);
});

test('a subject cannot smuggle a header into the mail', async ({ mail, startConversation }) => {
  const { message } = await startConversation({ subject: 'Hello\r\nBcc: victim@example.com' });
  await finishedMessage(message.id);
  expect(mail.received.at(-1)?.to).toEqual(['ada@example.com']);
  const email = mail.received.at(-1)?.email;
  expect(email?.bcc ?? []).toEqual([]);
});

test('a message refused by the mail server fails with an error, and is not retried', async ({
  mail,
  startConversation,
}) => {
  mail.respond(() => {
    throw new Error('No such user');
  });
  const { message } = await startConversation();
  expect(await finishedMessage(message.id)).toMatchObject({
    sendStatus: 'failed',
    deliveryError: 'The mail server did not accept the message.',
  });
  expect(mail.received).toHaveLength(1);
});

test('a mail server that hangs after its greeting delays a message by at most ten seconds', async ({
  startConversation,
}) => {
  const order: string[] = [];
  const control: NodeJS.Timeout[] = [];
  const hanging = await startHangingMailServer((closed) => {
    // Timers of one process fire in order, however late, and the worker runs in this process.
    control.push(setTimeout(() => order.push('control'), PATIENCE_MS));
    void closed.then(() => order.push('given up'));
  });
  const url = settings().SMTP_URL;
  Object.assign(settings(), { SMTP_URL: hanging.url });
  try {
    const { message } = await startConversation();
    await until('the connection is given up', () => order.length > 0);
    expect(order[0]).toBe('given up');
    const where = { id: message.id };
    await until('the message waits for another attempt', async () => {
      const { sendStatus, deferrals } = await db().message.findUniqueOrThrow({ where });
      return sendStatus === 'queued' && deferrals === 1;
    });
    // The message must not be sent in another test.
    await db().message.update({ where, data: { sendStatus: 'failed' } });
  } finally {
    control.forEach(clearTimeout);
    Object.assign(settings(), { SMTP_URL: url });
    await hanging.stop();
  }
});

test('a message in `sending` after a crash fails and is never sent again', async ({
  mail,
  startConversation,
}) => {
  const { message } = await startConversation();
  await finishedMessage(message.id);
  const before = mail.received.length;
  await db().message.update({ where: { id: message.id }, data: { sendStatus: 'sending' } });
  await inTransaction((tx) => queueJob(tx, 'send-message', { messageId: message.id }));
  expect(await finishedMessage(message.id)).toMatchObject({ sendStatus: 'failed' });
  expect(mail.received.length).toBe(before);
});

test('a workspace without a verified domain sends nothing', async ({ mail, startConversation }) => {
  const before = mail.received.length;
  const { message } = await startConversation({ plan: 'starter' });
  expect(message.sendStatus).toBe('held_for_paywall');
  const { message: other } = await startConversation();
  await finishedMessage(other.id);
  expect(mail.received.length).toBe(before + 1);
});

test('without SMTP_URL an email is saved as an .eml file', async ({ mailDir, startConversation }) => {
  const url = settings().SMTP_URL;
  Object.assign(settings(), { SMTP_URL: undefined });
  const { message } = await startConversation();
  await finishedMessage(message.id);
  Object.assign(settings(), { SMTP_URL: url });
  const [file = ''] = await readdir(mailDir);
  expect(file).toMatch(/\.eml$/);
  const email = await PostalMime.parse(await readFile(join(mailDir, file), 'utf8'));
  expect(email.to?.[0]?.address).toBe('ada@example.com');
  expect(email.subject).toBe('Grüße');
});

/** Longer than the timeout of ten seconds for an unresponsive mail server, in ms. */
const PATIENCE_MS = 18_000;

/** Returns a function that starts a conversation by an email, in a new workspace. */
function conversationStarter(url: string) {
  return async ({ plan = 'growth' as Plan, subject = 'Grüße' } = {}) => {
    const connection = await makeConnection({ plan });
    const api = apiClient(url, connection.accessToken);
    const { body } = await api('POST', '/conversations', {
      to_email: 'ada@example.com',
      to_name: 'Ada "x" Lovelace',
      subject,
      content: 'Hello Ada ✨\nyour order is on its way.',
    });
    const { id } = body as { id: string };
    return { connection, message: await db().message.findFirstOrThrow({ where: { conversationId: id } }) };
  };
}

function finishedMessage(id: string) {
  return until('the message finished', async () => {
    const message = await db().message.findUniqueOrThrow({ where: { id } });
    return message.sendStatus === 'sent' || message.sendStatus === 'failed' ? message : undefined;
  });
}
