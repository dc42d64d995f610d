// Mostly waits
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { withWorker } from '#test/fixtures/with-worker.ts';

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
      socket.write('250 taken\r\n');
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

let service: TestService;
let server: Server;
beforeAll(async () => {
  server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  service = await startTestService({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_RETRY_DELAYS: '1,1' });
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => server.close(resolve));
});

test.each(['MAIL', 'RCPT', 'DATA'])(
  'the email of a new conversation is sent later when the mail server does not respond to %s in time',
  async (command) => {
    silentAfter = command;
    connections = [];
    const { accessToken, workspaceId } = await makeConnection();
    const { status } = await apiClient(service.url, accessToken)('POST', '/conversations', {
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
