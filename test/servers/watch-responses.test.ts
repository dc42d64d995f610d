import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { API_PATH } from '#server/core/env.ts';
import { setTestSettings } from '#test/servers/settings.ts';
import { watchResponses } from '#test/servers/watch-responses.ts';

setTestSettings();
const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => printed.mockClear());

const nothing = { status: 404, body: '{"message":"There is nothing at this address."}' };

test('a response that follows the contract is not reported', async () => {
  const throwIfBroken = await watched(`${API_PATH}/nothing?a=1`, nothing);
  expect(throwIfBroken).not.toThrow();
  expect(printed).not.toHaveBeenCalled();
});

test('a response that breaks the contract is reported immediately and fails the run', async () => {
  const throwIfBroken = await watched(`${API_PATH}/nothing?a=1`, { status: 404, body: '{"error":"none"}' });
  expect(printed).toHaveBeenCalledWith(
    expect.stringContaining(`GET ${API_PATH}/nothing?a=1: the body does not match`),
  );
  expect(throwIfBroken).toThrow(/responses break their contract \(.*npm run openapi.*\)[\s\S]*'message'/);
});

test('responses of other paths are ignored', async () => {
  const throwIfBroken = await watched('/healthz', { status: 418, body: '{"any":"thing"}' });
  expect(throwIfBroken).not.toThrow();
});

/**
 * Requests a path from a server with this response. Returns the function that throws if a response was
 * invalid.
 */
async function watched(path: string, response: { status: number; body: string }): Promise<() => void> {
  const server = createServer((_req, res) => {
    res.setHeader('X-Request-Id', '5f0c7a52-3c0e-4a57-9f3d-6b8f2f7a9e10');
    res.writeHead(response.status, { 'Content-Type': 'application/json' });
    res.write(response.body.slice(0, 5));
    res.end(response.body.slice(5));
  });
  const throwIfBroken = watchResponses(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const received = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(received).toBe(response.body);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return throwIfBroken;
}
