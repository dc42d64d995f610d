import { compare } from '#bench/compare.ts';
import { calls, refreshes } from '#bench/lab/build-requests.ts';
import { percentile } from '#bench/lab/clock.ts';
import { startLab } from '#bench/lab/lab.ts';
import { measureRow } from '#bench/lab/measure-row.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import { type BenchRequest, startRequestLoad } from '#bench/lab/request-load.ts';
import { fillStage, type RequestStage, restoreAccess } from '#bench/lab/request-stage.ts';
import { ROWS, type Row } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { startTokenPeers, TOKEN_PEERS } from '#bench/lab/token-peers.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const CONVERSATIONS = scaled(100_000);

/** Measures only the platform's writes. */
export const benchCreate = (rounds: number) => benchRequests(rounds, ['POST', 'PATCH']);

/** Measures only the token requests. */
export const benchToken = (rounds: number) => benchRequests(rounds, ['token']);

/**
 * Measures the rate and the cost of the platform's requests. Compares with a bare program that writes and
 * reads the same rows.
 * @param chosen parts of the names of the rows to run; by default those in `BENCH_ROWS`
 */
export async function benchRequests(
  rounds: number,
  chosen: string[] = process.env.BENCH_ROWS?.split(',') ?? [''],
): Promise<void> {
  const lab = await startLab();
  try {
    setTestSettings({ DATABASE_URL: lab.url, LOG_LEVEL: 'info' });
    const stage = await fillStage(lab.url, CONVERSATIONS);
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/servers/serve.ts');
    await using floor = await startMeasured('bench/programs/request-floor.ts');
    const rows = Object.entries<Row>(ROWS).filter(([name]) => chosen.some((part) => name.includes(part)));
    await using peers = await startTokenPeers(
      lab,
      rows.some(([, row]) => row.makeForPeer) ? TOKEN_PEERS : [],
    );
    // Rows that refresh come last: a refresh invalidates the previous access token.
    for (const [name, row] of rows) {
      const { make, makeForPeer } = row;
      const side = (program: MeasuredProgram, title: string, requests: () => Promise<BenchRequest[]>) => ({
        name: title,
        measure: () => measureRow({ program, load, row, url: lab.url, title, requests }),
      });
      const own = async () => make(stage, lab.url);
      const besides = makeForPeer ? peers.all : [];
      const sides = [
        side(ours, 'the service', own),
        side(floor, 'a bare program', own),
        ...besides.map((peer) => side(peer.program, peer.name, () => makeForPeer?.(peer) ?? own())),
      ];
      // Warm-up: compiles code, prepares statements and opens connections.
      for (const { measure: warm } of sides) await warm();
      const bars = [
        ...(row.atLeast === undefined ? [] : [{ to: 'a bare program', atLeast: row.atLeast }]),
        ...besides.map((peer) => ({ to: peer.name, atLeast: 1 })),
      ];
      await compare(`requests: ${name}`, {
        rounds,
        figures: {
          'a second': { unit: '', bars },
          median: { unit: 'ms' },
          '95th percentile': { unit: 'ms' },
          '99th percentile': { unit: 'ms' },
          'processor time of a request': { unit: 'ms' },
          'statements of a request': { unit: '' },
          memory: { unit: 'MiB' },
        },
        sides,
      });
    }
    for (const { name, bench } of SERVER_ROWS) {
      if (chosen.some((part) => name.includes(part))) await bench({ rounds, stage, load });
    }
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

type Given = {
  rounds: number;
  stage: RequestStage;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
};

const CONCURRENCY = 32;
const MINUTE_MS = scaled(60_000);
/** Two requests per connection, so that all of them run during the warm-up of the server. */
const FIRST = 2 * CONCURRENCY;

/** Measurements of the server process itself, which is started again for each round. */
const SERVER_ROWS = [
  { name: 'memory after a minute of GET /me', bench: benchMemory },
  { name: 'first refreshes after a start', bench: benchStart },
];

async function benchMemory({ rounds, stage, load }: Given): Promise<void> {
  await restoreAccess(settings().DATABASE_URL, stage);
  const measure = async () => {
    await using server = await startMeasured('test/servers/serve.ts');
    const idle = (await server.work()).rssBytes;
    const expected = { concurrency: CONCURRENCY, status: 200, contains: '"email":"t' };
    const endsAt = performance.now() + MINUTE_MS;
    while (performance.now() < endsAt) {
      const requests = calls(8_000, () => ({ method: 'GET', path: '/me' }))(stage);
      await queryPostgres(settings().DATABASE_URL, 'truncate rate_limits');
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
    const expected = { concurrency: CONCURRENCY, status: 200, contains: '"access_token":"' };
    const first = await load.run({
      url: server.url,
      requests: refreshes(tokens, { count: FIRST }),
      ...expected,
    });
    const later = await load.run({
      url: server.url,
      requests: refreshes(tokens, { count: FIRST }),
      ...expected,
    });
    return { 'first 95th': percentile(first.times, 0.95), 'next 95th': percentile(later.times, 0.95) };
  };
  await compare('requests: first refreshes after a start', {
    rounds,
    figures: { 'first 95th': { unit: 'ms', bars: [{ atMost: 200 }] }, 'next 95th': { unit: 'ms' } },
    sides: [{ name: 'the service', measure }],
  });
}
