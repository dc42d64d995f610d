import type { Socket } from 'node:net';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { test as smtpTest } from '#test/fixtures/smtp-socket-test.ts';
import { timed } from '#test/fixtures/timed.ts';
import { until } from '#test/fixtures/until.ts';

const test = smtpTest.extend('serve', { scope: 'file' }, () => serve);

describe.concurrent('a reply waits ten seconds at most for a mail server', () => {
  test.for(['silent', 'talking'])('that is %s', async (recipient, { api, connection }) => {
    const { workspaceId } = connection;
    const replyTo = async (name: string) => {
      const contact = await makeContact(workspaceId, { email: `${name}@example.com` });
      const id = await makeConversation(connection, { contactId: contact.id });
      const send = () => api('POST', `/conversations/${id}/replies`, { content: 'Hello' });
      return { id, ...(await timed(send)) };
    };
    // Control without the wait: on a busy machine both take longer.
    const control = await replyTo(REFUSED);
    expect(control.result).toMatchObject({ status: 201, body: { send_status: 'failed' } });
    const { id, result: response, ms } = await replyTo(recipient);
    const failure =
      'The mail server did not answer in time, so the contact may not have received the message.';
    expect(response).toMatchObject({
      status: 201,
      body: { content: 'Hello', send_status: 'failed', delivery_error: failure },
    });
    expect(ms).toBeGreaterThan(9_900);
    expect(ms).toBeLessThan(12_000 + 3 * control.ms);
    expect(await db().message.findFirst({ where: { conversationId: id } })).toMatchObject({
      content: 'Hello',
      sendStatus: 'failed',
      deliveryError: failure,
      externalId: null,
    });
    // The service has closed the connection, so a late response of the server cannot continue the delivery.
    await until('the connection was closed', () => sockets.get(recipient)?.closed);
    expect(contents).toEqual([]);
  });
});

const sockets = new Map<string, Socket>();
const contents: string[] = [];

/** Behaviour of the mail server after RCPT, by the recipient's local part. */
const SLOWNESS: Record<string, (socket: Socket) => void> = {
  /** Sends nothing more. */
  silent: () => {},
  /** Sends an endless multiline response, so that no single read takes long. */
  talking: (socket) => {
    const timer = setInterval(() => socket.write('250-wait\r\n'), 200);
    socket.on('close', () => clearInterval(timer));
  },
};

/** Local part of a recipient that the server refuses immediately. */
const REFUSED = 'refused';

/** Handles SMTP commands one by one up to RCPT. */
function serve(socket: Socket): void {
  socket.on('error', () => {}).write('220 slow.test ESMTP\r\n');
  socket.on('data', (data) => {
    const text = data.toString();
    const recipient = /^RCPT TO:<(\w+)@/i.exec(text)?.[1];
    if (recipient) {
      sockets.set(recipient, socket);
      if (recipient === REFUSED) socket.write('550 5.1.1 No such mailbox\r\n');
      else SLOWNESS[recipient]?.(socket);
    } else if (/^DATA/i.test(text)) contents.push(text);
    else socket.write('250 slow.test\r\n');
  });
}
