import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorker } from '#worker/start-worker.ts';

let service: TestService;
let worker: Awaited<ReturnType<typeof startWorker>>;
let smtp: SMTPServer;
let mailDir: string;
const received: { from: string; to: string[]; raw: string }[] = [];
let refuses = false;

beforeAll(async () => {
  mailDir = await mkdtemp(join(tmpdir(), 'mail-'));
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuses) return callback(Object.assign(new Error('No such user'), { responseCode: 550 }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listener = smtp.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  service = await startTestService({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_DIR: mailDir,
    HOOKS_CONNECT_TO: `127.0.0.1:1`,
  });
  worker = await startWorker();
});

afterAll(async () => {
  await worker.stop();
  await service.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

async function startConversation({ plan = 'growth' as Plan, subject = 'Grüße' } = {}) {
  const connection = await makeConnection({ plan });
  const api = apiClient(service.url, connection.accessToken);
  const { body } = await api('POST', '/conversations', {
    to_email: 'ada@example.com',
    to_name: 'Ada "x" Lovelace',
    subject,
    content: 'Hello Ada ✨\nyour order is on its way.',
  });
  const { id } = body as { id: string };
  return { connection, message: await db().message.findFirstOrThrow({ where: { conversationId: id } }) };
}

function finishedMessage(id: string) {
  return until('the message finished', async () => {
    const message = await db().message.findUniqueOrThrow({ where: { id } });
    return message.sendStatus === 'sent' || message.sendStatus === 'failed' ? message : undefined;
  });
}

test('an email is sent over SMTP from the default mailbox, in the name of the teammate', async () => {
  const { connection, message } = await startConversation();
  const sent = await finishedMessage(message.id);
  expect(sent).toMatchObject({ sendStatus: 'sent', deliveryError: null });
  const mail = await PostalMime.parse(received.at(-1)?.raw ?? '');
  const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId: connection.workspaceId } });
  expect(mail.from).toMatchObject({ name: connection.teammate.name, address: mailbox.address });
  expect(mail.to?.[0]).toMatchObject({ name: 'Ada "x" Lovelace', address: 'ada@example.com' });
  expect(mail.subject).toBe('Grüße');
  expect(mail.text?.trim()).toBe('Hello Ada ✨\nyour order is on its way.');
  expect(mail.messageId).toBe(sent.externalId);
});

test('a subject cannot smuggle a header into the mail', async () => {
  const { message } = await startConversation({ subject: 'Hello\r\nBcc: victim@example.com' });
  await finishedMessage(message.id);
  expect(received.at(-1)?.to).toEqual(['ada@example.com']);
  const mail = await PostalMime.parse(received.at(-1)?.raw ?? '');
  expect(mail.bcc ?? []).toEqual([]);
});

test('a message refused by the mail server fails with an error, and is not retried', async () => {
  refuses = true;
  const before = received.length;
  const { message } = await startConversation();
  expect(await finishedMessage(message.id)).toMatchObject({
    sendStatus: 'failed',
    deliveryError: 'The mail server did not accept the message.',
  });
  refuses = false;
  expect(received.length).toBe(before);
});

/** Longer than the timeout of ten seconds for an unresponsive mail server, in ms. */
const PATIENCE_MS = 18_000;

test('a mail server that hangs after its greeting delays a message by at most ten seconds', async () => {
  const order: string[] = [];
  const control: NodeJS.Timeout[] = [];
  const silent = createServer((socket) => {
    // Timers of one process fire in order, however late, and the worker runs in this process.
    control.push(setTimeout(() => order.push('control'), PATIENCE_MS));
    socket.on('error', () => {}).on('close', () => order.push('given up'));
    // Without reading, the server would not see that the client closes the connection.
    socket.resume().write('220 silent.test ESMTP\r\n');
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const url = settings().SMTP_URL;
  const port = typeof address === 'object' && address ? address.port : 0;
  Object.assign(settings(), { SMTP_URL: `smtp://127.0.0.1:${port}` });
  try {
    const { message } = await startConversation();
    await until('the connection is given up', () => order.length > 0);
    expect(order[0]).toBe('given up');
    const where = { id: message.id };
    await until('the message waits for another attempt', async () => {
      const { sendStatus, deferrals } = await db().message.findUniqueOrThrow({ where });
      return sendStatus === 'queued' && deferrals === 1;
    });
    // Other tests count sent messages.
    await db().message.update({ where, data: { sendStatus: 'failed' } });
  } finally {
    control.forEach(clearTimeout);
    Object.assign(settings(), { SMTP_URL: url });
    silent.close();
  }
});

test('a message in `sending` after a crash fails and is never sent again', async () => {
  const { message } = await startConversation();
  await finishedMessage(message.id);
  const before = received.length;
  await db().message.update({ where: { id: message.id }, data: { sendStatus: 'sending' } });
  await inTransaction((tx) => queueJob(tx, 'send-message', { messageId: message.id }));
  expect(await finishedMessage(message.id)).toMatchObject({ sendStatus: 'failed' });
  expect(received.length).toBe(before);
});

test('a workspace without a verified domain sends nothing', async () => {
  const before = received.length;
  const { message } = await startConversation({ plan: 'starter' });
  expect(message.sendStatus).toBe('held_for_paywall');
  const { message: other } = await startConversation();
  await finishedMessage(other.id);
  expect(received.length).toBe(before + 1);
});

test('without SMTP_URL an email is saved as an .eml file', async () => {
  const url = settings().SMTP_URL;
  Object.assign(settings(), { SMTP_URL: undefined });
  const { message } = await startConversation();
  await finishedMessage(message.id);
  Object.assign(settings(), { SMTP_URL: url });
  const [file = ''] = await readdir(mailDir);
  expect(file).toMatch(/\.eml$/);
  const mail = await PostalMime.parse(await readFile(join(mailDir, file), 'utf8'));
  expect(mail.to?.[0]?.address).toBe('ada@example.com');
  expect(mail.subject).toBe('Grüße');
});
