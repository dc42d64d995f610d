// Mostly waits
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test as smtpTest } from '#test/fixtures/smtp-socket-test.ts';
import { until } from '#test/fixtures/until.ts';
import { withWorker } from '#test/fixtures/with-worker.ts';

const test = smtpTest
  .extend('serve', { scope: 'file' }, () => serve)
  .extend('settings', { scope: 'file' }, () => ({ MAIL_RETRY_DELAYS: '1,1' }));

test.for(['MAIL', 'RCPT', 'DATA'])(
  'the email of a new conversation is sent later when the mail server does not respond to %s in time',
  async (command, { api, connection: { workspaceId } }) => {
    silentAfter = command;
    connections = [];
    const { status } = await api('POST', '/conversations', {
      to_email: 'ada@example.com',
      subject: 'Order',
      content: 'Hello',
    });
    expect(status).toBe(201);
    await withWorker(async () => {
      const message = await until('the mail was sent or failed', () =>
        db().message.findFirst({ where: { workspaceId, sendStatus: { in: ['sent', 'failed'] } } }),
      );
      expect(message).toMatchObject({ sendStatus: 'sent', deferrals: 1 });
    });
    expect(connections).toEqual([{ delivered: false }, { delivered: true }]);
  },
);

/** The SMTP command to which the server does not respond on its first connection. */
let silentAfter: string;
let connections: { delivered: boolean }[] = [];

/** Accepts email, except that it stops responding on its first connection after `silentAfter`. */
function serve(socket: Socket): void {
  const isFirst = connections.length === 0;
  const connection = { delivered: false };
  connections.push(connection);
  let inData = false;
  let isSilent = false;
  socket.on('error', () => {}).write('220 slow.test ESMTP\r\n');
  socket.on('data', (data) => {
    const text = data.toString();
    if (isSilent) return;
    if (inData) {
      if (!text.endsWith('\r\n.\r\n')) return;
      connection.delivered = true;
      inData = false;
      socket.write('250 accepted\r\n');
      return;
    }
    if (isFirst && text.startsWith(silentAfter)) {
      isSilent = true;
      return;
    }
    inData = text.startsWith('DATA');
    socket.write(inData ? '354 go on\r\n' : '250 slow.test\r\n');
  });
}
