import { percentile } from '#bench/clock.ts';
import { compare } from '#bench/compare.ts';
import { startLab } from '#bench/lab.ts';
import type { BenchRequest } from '#bench/programs/request-load.ts';
import { calls, exchanges, refreshes } from '#bench/requests/build-requests.ts';
import { type MeasuredProgram, startMeasured } from '#bench/requests/measured-program.ts';
import { startRequestLoad } from '#bench/requests/request-load.ts';
import { fillStage, makeCodes, type RequestStage } from '#bench/requests/request-stage.ts';
import { SERVER_ROWS } from '#bench/requests/server-rows.ts';
import { startTokenPeers, TOKEN_PEERS, type TokenPeer } from '#bench/requests/token-peers.ts';
import { scaled } from '#bench/scaled.ts';
import { closeDatabase } from '#server/ground/db.ts';
import { askPostgres } from '#test/ask-postgres.ts';
import { setTestSettings } from '#test/settings.ts';

const CONVERSATIONS = scaled(100_000);

/** A kind of request, as many of them as are made in a round, and what each answer must be. */
type Row = {
  make: (stage: RequestStage, url: string) => Promise<BenchRequest[]> | BenchRequest[];
  /** The same for a library beside which it is measured. */
  makeForPeer?: (peer: TokenPeer) => Promise<BenchRequest[]>;
  atOnce: number;
  status: number;
  contains: string;
  /** What share of the floor's rate it must reach. */
  atLeast: number;
};

/** As many as the service has connections. */
const PEER_REFRESH_TOKENS = 512;

let made = 0;
let patches = 0;

const conversationOf = ({ conversations }: RequestStage, n: number) =>
  conversations[n % conversations.length];

const ROWS: Record<string, Row> = {
  'GET /me': {
    make: calls(8_000, () => ({ method: 'GET', path: '/me' })),
    atOnce: 32,
    status: 200,
    contains: '"email":"t',
    atLeast: 0.7,
  },
  'GET /conversations/search': {
    make: calls(4_000, ({ emails }, n) => ({
      method: 'GET',
      path: `/conversations/search?contact_email=${encodeURIComponent(emails[n % emails.length] ?? '')}`,
    })),
    atOnce: 32,
    status: 200,
    contains: '"priority"',
    atLeast: 0.5,
  },
  'POST /conversations': {
    make: calls(1_000, (_stage, n) => {
      made += 1;
      const to_email = `new.${made}@elsewhere.test`;
      const body = { to_email, to_name: 'Ada Lovelace', subject: 'Your order', content: `Order ${n}` };
      return { method: 'POST', path: '/conversations', body };
    }),
    atOnce: 32,
    status: 201,
    contains: '"Your order"',
    atLeast: 0.6,
  },
  'POST notes': {
    make: calls(1_500, (stage, n) => ({
      method: 'POST',
      path: `/conversations/${conversationOf(stage, n)}/notes`,
      body: { content: 'Please have a look at this refund.' },
    })),
    atOnce: 32,
    status: 201,
    contains: '"Please have a look',
    atLeast: 0.6,
  },
  'PATCH a status': {
    make: (stage) => {
      // Every one changes something: open ones become pending, and the next time open.
      patches += 1;
      const body = { status: patches % 2 === 1 ? 'pending' : 'open' };
      const path = (n: number) => `/conversations/${conversationOf(stage, n)}`;
      return calls(1_000, (_stage, n) => ({ method: 'PATCH', path: path(n), body }))(stage);
    },
    atOnce: 32,
    status: 200,
    contains: '"status"',
    atLeast: 0.6,
  },
  'POST tags': {
    make: calls(1_000, (stage, n) => {
      made += 1;
      return {
        method: 'POST',
        path: `/conversations/${conversationOf(stage, n)}/tags`,
        body: { tags: [`T${made}`] },
      };
    }),
    atOnce: 32,
    status: 200,
    contains: '"tags"',
    atLeast: 0.6,
  },
  'token: refresh': {
    make: ({ connections }) => refreshes(connections.map(({ refreshToken }) => refreshToken)),
    makeForPeer: async (peer) => refreshes(await peer.makeRefreshTokens(PEER_REFRESH_TOKENS)),
    atOnce: 32,
    status: 200,
    contains: '"access_token":"',
    atLeast: 0.6,
  },
  'token: exchange': {
    make: async (stage, url) => exchanges(await makeCodes(url, stage, scaled(1_000))),
    makeForPeer: async (peer) => exchanges(await peer.makeCodes(scaled(1_000))),
    atOnce: 32,
    status: 200,
    contains: '"refresh_token":"',
    atLeast: 0.6,
  },
};

/**
 * Requests of the platform: how many a second the service answers and what each costs it, beside a bare program that writes and
 * reads the same rows. `BENCH_ROWS` chooses some of them, by a part of their names.
 */
export async function benchRequests(rounds: number): Promise<void> {
  const lab = await startLab();
  try {
    setTestSettings({ DATABASE_URL: lab.url, LOG_LEVEL: 'info' });
    const stage = await fillStage(lab.url, CONVERSATIONS);
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/serve.ts');
    await using floor = await startMeasured('bench/programs/request-floor.ts');
    const chosen = process.env.BENCH_ROWS?.split(',') ?? [''];
    const rows = Object.entries(ROWS).filter(([name]) => chosen.some((part) => name.includes(part)));
    await using peers = await startTokenPeers(
      lab,
      rows.some(([, row]) => row.makeForPeer) ? TOKEN_PEERS : [],
    );
    // Tokens that a refresh replaced open nothing any more: those rows come last.
    for (const [name, row] of rows) {
      const { make, makeForPeer } = row;
      const side = (program: MeasuredProgram, title: string, requests: () => Promise<BenchRequest[]>) => ({
        name: title,
        measure: () => measure({ program, load, row, url: lab.url, title, requests }),
      });
      const own = async () => make(stage, lab.url);
      const besides = makeForPeer ? peers.all : [];
      const sides = [
        side(ours, 'the service', own),
        side(floor, 'a bare program', own),
        ...besides.map((peer) => side(peer.program, peer.name, () => makeForPeer?.(peer) ?? own())),
      ];
      // Once before it counts: code is compiled, statements are prepared, connections opened.
      for (const { measure: warm } of sides) await warm();
      const bars = [
        { to: 'a bare program', atLeast: row.atLeast },
        ...besides.map((peer) => ({ to: peer.name, atLeast: 1 })),
      ];
      await compare(`requests: ${name}`, {
        rounds,
        figures: {
          'a second': { unit: '', bars },
          median: { unit: 'ms' },
          '95th percentile': { unit: 'ms' },
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

async function measure(given: {
  program: MeasuredProgram;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
  row: Row;
  url: string;
  title: string;
  requests: () => Promise<BenchRequest[]>;
}) {
  const { program, load, row, url } = given;
  const requests = await given.requests();
  // A window of an earlier round may not have ended yet.
  await askPostgres(url, 'truncate rate_limits');
  await program.work();
  const { atOnce, status, contains } = row;
  const result = await load.run({ url: program.url, requests, atOnce, status, contains });
  const { statements, cpuMs, rssBytes, texts } = await program.work();
  if (process.env.BENCH_TEXTS) console.log(given.title, texts.slice(-60));
  return {
    'a second': requests.length / (result.tookMs / 1_000),
    median: percentile(result.times, 0.5),
    '95th percentile': percentile(result.times, 0.95),
    'processor time of a request': cpuMs / requests.length,
    'statements of a request': statements / requests.length,
    memory: rssBytes / 1024 / 1024,
  };
}
