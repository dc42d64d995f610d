import { compare } from '#bench/compare.ts';
import { calls, refreshes } from '#bench/lab/build-requests.ts';
import { percentile } from '#bench/lab/clock.ts';
import { startMeasured } from '#bench/lab/measured-program.ts';
import type { startRequestLoad } from '#bench/lab/request-load.ts';
import { type RequestStage, restoreAccess } from '#bench/lab/request-stage.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { settings } from '#server/core/env.ts';
import { askPostgres } from '#test/database/ask-postgres.ts';

type Given = {
  rounds: number;
  stage: RequestStage;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
};

const AT_ONCE = 32;
const MINUTE_MS = scaled(60_000);
/** Every one of them is early: so many as are asked for at once, twice. */
const FIRST = 2 * AT_ONCE;

/** What is measured of the server itself, started for it each time. */
export const SERVER_ROWS = [
  { name: 'memory after a minute of GET /me', bench: benchMemory },
  { name: 'first refreshes after a start', bench: benchStart },
];

async function benchMemory({ rounds, stage, load }: Given): Promise<void> {
  await restoreAccess(settings().DATABASE_URL, stage);
  const measure = async () => {
    await using server = await startMeasured('test/servers/serve.ts');
    const idle = (await server.work()).rssBytes;
    const expected = { atOnce: AT_ONCE, status: 200, contains: '"email":"t' };
    const endsAt = performance.now() + MINUTE_MS;
    while (performance.now() < endsAt) {
      const requests = calls(8_000, () => ({ method: 'GET', path: '/me' }))(stage);
      await askPostgres(settings().DATABASE_URL, 'truncate rate_limits');
      await load.run({ url: server.url, requests, ...expected });
    }
    const { rssBytes } = await server.work();
    return { memory: rssBytes / 1024 / 1024, idle: idle / 1024 / 1024 };
  };
  await compare('requests: memory after a minute of GET /me', {
    rounds,
    figures: { memory: { unit: 'MiB', bars: [{ atMost: 400 }] }, idle: { unit: 'MiB' } },
    sides: [{ name: 'the service', measure }],
  });
}

async function benchStart({ rounds, stage, load }: Given): Promise<void> {
  const tokens = stage.connections.map(({ refreshToken }) => refreshToken);
  const measure = async () => {
    await using server = await startMeasured('test/servers/serve.ts');
    const expected = { atOnce: AT_ONCE, status: 200, contains: '"access_token":"' };
    const first = await load.run({ url: server.url, requests: refreshes(tokens, FIRST), ...expected });
    const later = await load.run({ url: server.url, requests: refreshes(tokens, FIRST), ...expected });
    return { 'first 95th': percentile(first.times, 0.95), 'next 95th': percentile(later.times, 0.95) };
  };
  await compare('requests: first refreshes after a start', {
    rounds,
    figures: { 'first 95th': { unit: 'ms', bars: [{ atMost: 200 }] }, 'next 95th': { unit: 'ms' } },
    sides: [{ name: 'the service', measure }],
  });
}
