import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { timed } from '#test/fixtures/timed.ts';
import { until } from '#test/fixtures/until.ts';

let service: TestService;
let server: Server;
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

beforeAll(async () => {
  server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = await startTestService({
    SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => server.close(resolve));
});

describe.concurrent('a reply waits ten seconds at most for a mail server', () => {
  test.each(Object.keys(SLOWNESS))('that is %s', async (recipient) => {
    const connection = await makeConnection();
    const { workspaceId, accessToken } = connection;
    const api = apiClient(service.url, accessToken);
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
    await until('the connection was broken off', () => sockets.get(recipient)?.closed);
    expect(contents).toEqual([]);
  });
});
