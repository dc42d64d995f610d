import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/ground/db.ts';
import { apiClient } from '#test/api-client.ts';
import { makeConnection } from '#test/factories.ts';
import { makeContact, makeConversation } from '#test/fixtures.ts';
import { startTestService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

let service: TestService;
let server: Server;
const sockets = new Map<string, Socket>();
const contents: string[] = [];

/** What the server does with a mail, by the name before the `@` of its recipient; it knows no other one. */
const SLOWNESS: Record<string, (socket: Socket) => void> = {
  /** Says nothing more. */
  silent: () => {},
  /** Goes on talking without ever coming to an end, so that no single step takes long. */
  talking: (socket) => {
    const timer = setInterval(() => socket.write('250-wait\r\n'), 200);
    socket.on('close', () => clearInterval(timer));
  },
};

/** Takes the steps of SMTP one by one up to the recipient, and what comes after in whatever shape. */
function serve(socket: Socket): void {
  socket.on('error', () => {}).write('220 slow.test ESMTP\r\n');
  socket.on('data', (data) => {
    const text = data.toString();
    const recipient = /^RCPT TO:<(\w+)@/i.exec(text)?.[1];
    if (recipient) {
      sockets.set(recipient, socket);
      SLOWNESS[recipient]?.(socket);
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

describe.concurrent('a reply waits ten seconds for a mail server, not longer', () => {
  test.each(Object.keys(SLOWNESS))('that is %s', async (recipient) => {
    const connection = await makeConnection();
    const { workspaceId, accessToken } = connection;
    const contact = await makeContact(workspaceId, { email: `${recipient}@example.com` });
    const id = await makeConversation(connection, { contactId: contact.id });
    const start = performance.now();
    const api = apiClient(service.url, accessToken);
    const response = await api('POST', `/conversations/${id}/replies`, { content: 'Hello' });
    const seconds = (performance.now() - start) / 1000;
    const failure =
      'The mail server did not answer in time, so the contact may not have received the message.';
    expect(response).toMatchObject({
      status: 201,
      body: { content: 'Hello', send_status: 'failed', delivery_error: failure },
    });
    expect(seconds).toBeGreaterThan(9.9);
    expect(seconds).toBeLessThan(12);
    expect(await db().message.findFirst({ where: { conversationId: id } })).toMatchObject({
      content: 'Hello',
      sendStatus: 'failed',
      deliveryError: failure,
      externalId: null,
    });
    // The server comes round too late: there is no one left to give it the mail.
    await until('the connection was broken off', () => sockets.get(recipient)?.closed);
    expect(contents).toEqual([]);
  });
});
