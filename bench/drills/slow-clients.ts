import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { withDrilledService } from '#bench/drills/drilled-service.ts';
import { figure, judge, maxDuringFault } from '#bench/drills/judge.ts';
import { machineMs, percentile } from '#bench/lab/clock.ts';
import type { RequestStage } from '#bench/lab/request-stage.ts';
import { API_PATH } from '#server/core/env.ts';

// npm run drill -- slow-clients [seconds]: opens 500 idle connections and 200 that send a request byte by
// byte, to one server that also gets 50 normal requests a second.
const [seconds = 20] = process.argv.slice(2).map(Number);
const IDLE = 500;
const SLOW = 200;
const BYTE_MS = 250;
const CALL_MS = 20;
/**
 * Timeouts of the server: 15 s for headers (docs/deployment.md), ten seconds for a body slower than 8 KiB/s
 * (docs/operations.md).
 */
const GIVEN_UP_MS = 40_000;

await withDrilledService({ servers: 1, workers: 0, hooks: 0 }, async ({ stage, servers: [server] }) => {
  if (!server) throw new Error('There is no server.');
  const url = new URL(server.url);
  await measure(url, stage, 5);
  const before = await measure(url, stage, seconds);
  const idle = await openAll(url, IDLE);
  const slow = await openAll(url, SLOW);
  const stopDripping = drip(slow, stage);
  const during = await measure(url, stage, seconds);
  const [idleOpen, slowOpen] = [stillOpen(idle), stillOpen(slow)];
  const deadline = performance.now() + GIVEN_UP_MS;
  while (stillOpen(slow) > 0 && performance.now() < deadline) await sleep(100);
  const held = stillOpen(slow);
  stopDripping();
  const after = await measure(url, stage, 5);
  for (const socket of [...idle, ...slow]) socket.destroy();

  figure(
    `${IDLE} idle and ${SLOW} slow connections; ${idleOpen} and ${slowOpen} were open after ${seconds} s`,
  );
  for (const [name, { times }] of Object.entries({ before, during, after })) {
    const at = (share: number) => percentile(times, share).toFixed(1);
    figure(`GET /me ${name}: ${times.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`);
  }
  const most = maxDuringFault(percentile(before.times, 0.99));
  const p99 = percentile(during.times, 0.99);
  judge(`p99 of the other calls ${p99.toFixed(1)} ms, at most ${most.toFixed(1)}`, p99 <= most);
  judge(`${during.wrong} other calls did not return 200`, during.wrong === 0);
  judge(`${held} slow requests still held a connection`, held === 0);
});

/** Calls the API at a steady rate, without waiting for responses. */
async function measure(url: URL, { connections }: RequestStage, forSeconds: number) {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  let wrong = 0;
  const call = async (accessToken: string) => {
    const start = machineMs();
    const headers = { authorization: `Bearer ${accessToken}` };
    const status = await request(new URL(`${API_PATH}/me`, url), { headers }).then(
      async ({ statusCode, body }) => {
        await body.text();
        return statusCode;
      },
      () => 0,
    );
    times.push(machineMs() - start);
    if (status !== 200) wrong += 1;
  };
  const deadline = performance.now() + forSeconds * 1_000;
  for (let n = 0; performance.now() < deadline; n += 1) {
    calls.push(call(connections[n % connections.length]?.accessToken ?? ''));
    await sleep(CALL_MS);
  }
  await Promise.all(calls);
  return { times, wrong };
}

async function openAll(url: URL, count: number): Promise<Socket[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(url.port), url.hostname);
      socket.on('error', () => {});
      socket.resume();
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('error', reject);
      });
      return socket;
    }),
  );
}

/**
 * Sends byte by byte: half of the sockets never finish their headers, the others send a body.
 * @returns a function that stops the sending
 */
function drip(sockets: Socket[], { connections: [caller], conversations: [id] }: RequestStage): () => void {
  const path = `${API_PATH}/conversations/${id}/notes`;
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: inbox.test',
    `Authorization: Bearer ${caller?.accessToken}`,
    'Content-Type: application/json',
    'Content-Length: 10000',
  ].join('\r\n');
  for (const [number, socket] of sockets.entries()) {
    socket.write(number % 2 === 0 ? `${head}\r\nX-Slow: ` : `${head}\r\n\r\n`);
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, BYTE_MS);
  return () => clearInterval(timer);
}

function stillOpen(sockets: Socket[]): number {
  return sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
}
