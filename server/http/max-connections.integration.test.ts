import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { openSocket, readUntilClosed } from '#test/clients/raw-socket.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { until } from '#test/fixtures/until.ts';
import { setTestSettings } from '#test/servers/settings.ts';

test('an attacker whose unfinished bodies are refused gets each reason, and keeps ten connections', async () => {
  setTestSettings();
  const server = createHttpServer(async (_req, res) => void res.end('done'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sockets = Array.from({ length: 30 }, () => openSocket(url));
  const address = newAddress();
  let refused = 0;
  const closed = new Set<object>();
  for (const socket of sockets) {
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (text.startsWith('HTTP/1.1 401 ')) refused += 1;
    });
    for (const end of ['end', 'error']) socket.on(end, () => closed.add(socket));
    socket.write(
      `POST /inbox HTTP/1.1\r\nHost: inbox.test\r\nX-Forwarded-For: ${address}\r\nContent-Length: 100000\r\n\r\nunfinished`,
    );
  }
  await until('all have their reason and twenty are closed', () => refused === 30 && closed.size >= 20);
  expect(closed.size).toBe(20);
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

test('an attacker who opens more than the maximum of connections has the excess closed, and existing ones work', async () => {
  setTestSettings();
  const server = createHttpServer(async (_req, res) => void res.end('done'), { maxConnections: 2 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const held = [openSocket(url), openSocket(url)];
  const responses: string[] = [];
  for (const socket of held) socket.setEncoding('utf8').on('data', (text: string) => responses.push(text));
  const sendRequests = () => {
    for (const socket of held) socket.write('GET / HTTP/1.1\r\nHost: inbox.test\r\n\r\n');
  };
  sendRequests();
  await until('both have responses', () => responses.length >= 2);
  expect(await readUntilClosed(openSocket(url))).toBe('');
  responses.length = 0;
  sendRequests();
  await until('both have responses again', () => responses.length >= 2);
  for (const socket of held) socket.destroy();
  await until(
    'no connection is left',
    () => new Promise<boolean>((resolve) => server.getConnections((_e, n) => resolve(n === 0))),
  );
  expect((await fetch(url)).status).toBe(200);
  server.closeAllConnections();
  server.close();
});
