import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NotSentError } from '#server/automation/deliveries/hook-agent.ts';
import { checkBeforeSending } from '#worker/check-before-sending.ts';

let received = 0;
const server = createServer((_req, res) => {
  received += 1;
  res.end('{}');
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  received = 0;
});
afterAll(() => void server.close());

test('a request with a valid lease is sent, and its response is read', async () => {
  await using agent = disposable(new Agent());
  const response = await post(agent, () => true);
  expect(response.statusCode).toBe(200);
  expect(await response.body.text()).toBe('{}');
  expect(received).toBe(1);
});

test('a request whose lease was lost while connecting is never sent', async () => {
  let isHeld = true;
  const connect = buildConnector({});
  await using agent = disposable(
    new Agent({
      connect: (options, callback) => {
        isHeld = false;
        connect(options, callback);
      },
    }),
  );
  await expect(post(agent, () => isHeld)).rejects.toThrow(NotSentError);
  isHeld = true;
  expect((await request(url, { dispatcher: agent })).statusCode).toBe(200);
  expect(received).toBe(1);
});

function disposable(agent: Agent): Agent & AsyncDisposable {
  return Object.assign(agent, { [Symbol.asyncDispose]: () => agent.destroy() });
}

function post(dispatcher: Agent, maySend: () => boolean) {
  return request(url, {
    dispatcher: checkBeforeSending(dispatcher, { leaseId: 'lease' }, { areSure: maySend }),
    method: 'POST',
    body: '{}',
  });
}
