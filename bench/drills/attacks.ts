import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { attackFiles, type FileFigure } from '#bench/drills/file-attacks.ts';
import { judge } from '#bench/drills/judge.ts';
import { startService } from '#bench/drills/started-service.ts';
import { DEMO_PASSWORD } from '#prisma/seed/people.ts';
import { messageWith, type Target } from '#test/faults/attackers.ts';

// npm run drill -- attacks [seconds] [connections]: one attacker attacks the web chat and the public
// endpoints over 100 loopback connections while other users work. Exits with 1 when the other users were
// slowed down.
const [seconds = 60, connections = 100] = process.argv.slice(2).map(Number);

const ATTACKER = '203.0.113.9';
const TEAMMATE = '198.51.100.20';
const VISITOR = '198.51.100.30';
/** Pause between two attempts on a connection, as on a real network, in ms. */
const PAUSE_MS = 10;
/** Time for the service to release the resources of an attack, in ms. */
const SETTLE_MS = 45_000;
/** Maximum growth of the server's memory, in bytes. */
const MEMORY_MOST = 300 * 1024 * 1024;
/** Maximum time that a change of a conversation may wait for a visitor's files, in ms. */
const CHANGE_MOST_MS = 1_000;

const service = await startService('attacks', { TRUST_PROXY: '1' });
try {
  const cookie = await signIn();
  const workspaceId = await findChat(cookie);
  const calls = watchedCalls(cookie, await newVisitor(workspaceId, VISITOR));
  for (const call of calls) await call.make();
  const target = await prepare(workspaceId);
  const before = await readFigures();
  const samples = new Map(calls.map(({ name }) => [name, [] as number[]]));
  const faults: string[] = [];
  const deadline = performance.now() + seconds * 1_000;
  const tried = new Map<string, number>();
  let most = before.memoryBytes;
  let mostLagMs = 0;
  await Promise.all([
    attackFromElsewhere({ ...target, deadline: seconds * 1_000 }, tried),
    ...calls.map((call) => watch(call, deadline, samples.get(call.name) ?? [], faults)),
    watchFigures(deadline, ({ memoryBytes, lagMs }) => {
      most = Math.max(most, memoryBytes);
      mostLagMs = Math.max(mostLagMs, lagMs);
    }),
  ]);
  const end = await readFigures();
  const processor = {
    share: (end.processorSeconds - before.processorSeconds) / seconds,
    load: loadavg()[0] ?? 0,
  };
  await sleep(SETTLE_MS);
  const { memoryBytes: after } = await readFigures();
  const memory = async () => (await readFigures()).memoryBytes;
  const files = await attackFiles({ ...service, workspaceId, memory });
  report({ files, before: before.memoryBytes, most, after, mostLagMs, processor, samples, faults, tried });
} finally {
  await service.stop();
}

type Call = { name: string; everyMs: number; atMostMs: number; make(): Promise<void> };

/** Calls of other users during the attack, with the maximum 99th percentile of each. */
function watchedCalls(cookie: string, visitorToken: string): Call[] {
  const get =
    (path: string, expected: number, headers: Record<string, string> = {}) =>
    async () => {
      const response = await fetch(`${service.url}${path}`, {
        headers: { 'x-forwarded-for': TEAMMATE, ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      await response.arrayBuffer();
      if (response.status !== expected) throw new Error(`${path} returned ${response.status}.`);
    };
  return [
    { name: 'GET /healthz', everyMs: 50, atMostMs: 200, make: get('/healthz', 200) },
    { name: 'GET /readyz', everyMs: 500, atMostMs: 1_000, make: get('/readyz', 200) },
    { name: 'GET /inbox, signed in', everyMs: 1_000, atMostMs: 1_000, make: get('/inbox', 200, { cookie }) },
    { name: 'GET /sign-in', everyMs: 1_000, atMostMs: 1_000, make: get('/sign-in', 200) },
    {
      name: 'GET /me without a token',
      everyMs: 500,
      atMostMs: 1_000,
      make: get('/api/automation/v1/me', 401),
    },
    {
      name: 'another visitor reads their chat',
      everyMs: 2_000,
      atMostMs: 1_000,
      make: get('/api/chat/conversation', 200, {
        authorization: `Bearer ${visitorToken}`,
        'x-forwarded-for': VISITOR,
        'sec-fetch-site': 'same-origin',
      }),
    },
  ];
}

/** Repeats a call until the deadline and records each duration, in ms. An unexpected response is a fault. */
async function watch(call: Call, deadline: number, times: number[], faults: string[]): Promise<void> {
  while (performance.now() < deadline) {
    const start = performance.now();
    await call.make().catch((error: unknown) => faults.push(`${call.name}: ${String(error)}`));
    times.push(performance.now() - start);
    await sleep(call.everyMs);
  }
}

/** Runs the attackers in a separate thread, so that building their bodies does not delay measurements. */
async function attackFromElsewhere(target: Target, tried: Map<string, number>): Promise<void> {
  const thread = new Worker(new URL('../../test/faults/attacking-thread.ts', import.meta.url), {
    workerData: { ...target, url: target.url.href, connections, pauseMs: PAUSE_MS },
  });
  thread.on('message', (counts: [string, number][]) => {
    for (const [name, times] of counts) tried.set(name, times);
  });
  await once(thread, 'exit');
}

/** Metrics of the server process. `lagMs`: the largest event loop delay since the previous read. */
type Figures = { memoryBytes: number; processorSeconds: number; lagMs: number };

async function watchFigures(deadline: number, onSample: (figures: Figures) => void): Promise<void> {
  while (performance.now() < deadline) {
    const figures = await readFigures().catch(() => undefined);
    if (figures) onSample(figures);
    await sleep(1_000);
  }
}

async function readFigures(): Promise<Figures> {
  const text = await fetch(service.metricsUrl).then((response) => response.text());
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    memoryBytes: read('process_resident_memory_bytes'),
    processorSeconds: read('process_cpu_seconds_total'),
    lagMs: read('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}

async function signIn(): Promise<string> {
  const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: new URL(service.url).origin,
      'x-forwarded-for': TEAMMATE,
    },
    body: JSON.stringify({ email: 'owner@demo.test', password: DEMO_PASSWORD }),
  });
  if (!response.ok) throw new Error(`Signing in returned ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
}

/** Returns the id of the workspace whose chat address the settings show. */
async function findChat(cookie: string): Promise<string> {
  const page = await fetch(`${service.url}/settings/web-chat`, { headers: { cookie } }).then((each) =>
    each.text(),
  );
  const id = /\/chat\/([0-9a-f-]{36})/.exec(page)?.[1];
  if (!id) throw new Error('The settings of the web chat show no address.');
  return id;
}

async function newVisitor(workspaceId: string, address: string): Promise<string> {
  const response = await fetch(`${service.url}/api/chat/visitors`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ workspaceId }),
  });
  if (response.status !== 201) throw new Error(`Creating a visitor returned ${response.status}.`);
  return ((await response.json()) as { token: string }).token;
}

/** Writes a first message as the attacker, with a file of 9 MB to download. */
async function prepare(workspaceId: string): Promise<Target> {
  const token = await newVisitor(workspaceId, ATTACKER);
  const response = await fetch(`${service.url}/api/chat/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=drill',
      'x-forwarded-for': ATTACKER,
      'sec-fetch-site': 'same-origin',
    },
    body: new Uint8Array(messageWith({ name: 'large.bin', bytes: 9 * 1024 * 1024 })),
  });
  const chat = (await response.json()) as { messages?: { attachments: { id: string }[] }[] };
  const fileId = chat.messages?.at(-1)?.attachments[0]?.id ?? null;
  if (fileId === null) throw new Error(`The first message returned ${response.status}.`);
  return { url: new URL(service.url), token, fileId, address: ATTACKER, deadline: 0 };
}

type Outcome = {
  files: FileFigure[];
  before: number;
  most: number;
  after: number;
  mostLagMs: number;
  processor: { share: number; load: number };
  samples: Map<string, number[]>;
  faults: string[];
  tried: Map<string, number>;
};

function report({ files, before, most, after, mostLagMs, processor, samples, faults, tried }: Outcome): void {
  console.log(`\nAttacks in ${seconds} s over ${connections} connections:`);
  for (const [name, times] of tried) console.log(`  ${String(times).padStart(6)}  ${name}`);
  const short: string[] = [];
  console.log('\nResponse times of other users, in ms:        calls    p50    p99    max');
  for (const call of watchedCalls('', '')) {
    const times = samples.get(call.name)?.toSorted((a, b) => a - b) ?? [];
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    const columns = [times.length, at(0.5), at(0.99), at(1)].map((value) => value.toFixed(0).padStart(7));
    console.log(`  ${call.name.padEnd(42)}${columns.join('')}`);
    if (at(0.99) > call.atMostMs)
      short.push(`${call.name} took ${at(0.99).toFixed(0)} ms at p99, over ${call.atMostMs}.`);
  }
  const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  console.log(`\nMemory: ${mb(before)} before, ${mb(most)} at most, ${mb(after)} afterwards.`);
  console.log(
    `The server used ${(100 * processor.share).toFixed(0)} % of a processor. Its event loop was late by ` +
      `${mostLagMs.toFixed(0)} ms at most. Load of the machine: ${processor.load.toFixed(1)}.`,
  );
  if (most - before > MEMORY_MOST)
    short.push(`Memory grew by ${mb(most - before)}, over ${mb(MEMORY_MOST)}.`);
  for (const figure of files) {
    console.log(`${figure.text}.`);
    if ('grewBytes' in figure && figure.grewBytes > MEMORY_MOST) short.push(`${figure.text}.`);
    if ('waitedMs' in figure && figure.waitedMs > CHANGE_MOST_MS) short.push(`${figure.text}.`);
  }
  for (const fault of new Set(faults))
    short.push(`${fault} (${faults.filter((each) => each === fault).length} times)`);
  for (const each of short) judge(each, false);
  if (short.length === 0) judge('All other users were served.', true);
}
