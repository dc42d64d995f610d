import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { figure, judge, maxDuringFault } from '#bench/drills/judge.ts';
import { startService } from '#bench/drills/started-service.ts';
import { percentile } from '#bench/lab/clock.ts';
import { DEMO_PASSWORD } from '#prisma/seed/people.ts';
import { fillInConsent } from '#test/clients/consent-form.ts';
import { newAddress, trySignIn } from '#test/clients/sign-in.ts';

// npm run drill -- pages [seconds]: attacks the pages in each way for this time, next to the same calls without an attack. Exits with
// 1 when calls of others are slower than twice as just before, memory grows, or a teammate cannot open the inbox.
const [seconds = 15] = process.argv.slice(2).map(Number);

/** Connections of each attack, one after the other. */
const ATTACKS = {
  'renders of /docs': 40,
  'renders of /sign-in': 40,
  'unfinished posts of 1 MB to a page': 500,
  'batches of ten searches by a viewer': 60,
};
/** Connections of the platform that call the API in turn: enough calls for a percentile, within the rate limit of each. */
const CONNECTIONS = 5;
/** Pause of a connection between two attempts, in ms. */
const PAUSE_MS = 1_000;
const MEMORY_MOST = 100 * 1024 * 1024;
const INBOX_MOST_MS = 3_000;
/** Time for the service to release what an attack held, in ms. */
const SETTLE_MS = 12_000;
const CLIENT = { id: 'workflow-platform', secret: 'demo-platform-secret' };

const service = await startService('pages', { TRUST_PROXY: '1' });
try {
  const cookie = await signIn('owner@demo.test');
  const accessTokens: string[] = [];
  for (let n = 0; n < CONNECTIONS; n += 1) accessTokens.push(await connect(cookie));
  const [accessToken = ''] = accessTokens;
  const viewer = { cookie: await signIn('viewer@demo.test'), workspaceId: await workspaceOf(accessToken) };
  const calls = watchedCalls(cookie, accessTokens);
  for (const call of calls) await call.make();
  await measure(calls);
  for (const [only, connections] of Object.entries(ATTACKS)) {
    const before = await measure(calls);
    print(`before ${only}`, before);
    const beforeBytes = await memory();
    let most = beforeBytes;
    const thread = new Worker(new URL('../../test/faults/attacking-thread.ts', import.meta.url), {
      workerData: {
        ...{ only, connections, pauseMs: PAUSE_MS, deadline: seconds * 1_000, token: '', fileId: null },
        ...{ url: service.url, address: newAddress(), ...viewer },
      },
    });
    const watching = setInterval(() => void memory().then((bytes) => (most = Math.max(most, bytes))), 500);
    const [during] = await Promise.all([measure(calls), once(thread, 'exit')]);
    clearInterval(watching);
    print(only, during);
    for (const { name, atMostMs } of calls) {
      const p99 = percentile(during.times.get(name) ?? [], 0.99);
      const limit = atMostMs ?? maxDuringFault(percentile(before.times.get(name) ?? [], 0.99));
      judge(`${only}: ${name} ${p99.toFixed(0)} ms at p99, at most ${limit.toFixed(0)}`, p99 <= limit);
    }
    judge(
      `${only}: ${during.faults.length} calls of others failed${during.faults[0] ?? ''}`,
      during.faults.length === 0,
    );
    const grown = most - beforeBytes;
    judge(`${only}: memory grew by ${Math.round(grown / 1024 / 1024)} MB, at most 100`, grown <= MEMORY_MOST);
    await sleep(SETTLE_MS);
  }
} finally {
  await service.stop();
}

/** `atMostMs` instead of twice the usual time. */
type Call = { name: string; everyMs: number; atMostMs?: number; make(): Promise<void> };

function watchedCalls(cookie: string, accessTokens: string[]): Call[] {
  let calls = 0;
  const call =
    (path: string, expected: number, init: RequestInit = {}) =>
    async () => {
      const response = await fetch(`${service.url}${path}`, {
        ...init,
        headers: { 'x-forwarded-for': newAddress(), ...Object.fromEntries(new Headers(init.headers)) },
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      await response.arrayBuffer();
      if (response.status !== expected) throw new Error(`${path} returned ${response.status}.`);
    };
  const unknown = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: 'unknown',
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  });
  return [
    { name: 'GET /healthz', everyMs: 50, make: call('/healthz', 200) },
    {
      name: 'GET /me',
      everyMs: 50,
      make: () => {
        const accessToken = accessTokens[calls++ % CONNECTIONS];
        return call('/api/automation/v1/me', 200, { headers: { authorization: `Bearer ${accessToken}` } })();
      },
    },
    {
      name: 'POST /oauth/token',
      everyMs: 50,
      make: call('/oauth/token', 400, { method: 'POST', body: unknown }),
    },
    {
      name: 'GET /inbox',
      everyMs: 1_000,
      atMostMs: INBOX_MOST_MS,
      make: call('/inbox', 200, { headers: { cookie } }),
    },
  ];
}

type Measured = { times: Map<string, number[]>; faults: string[] };

/** Repeats the calls and records each duration, in ms. */
async function measure(calls: Call[]): Promise<Measured> {
  const measured: Measured = { times: new Map(), faults: [] };
  const deadline = performance.now() + seconds * 1_000;
  await Promise.all(
    calls.map(async ({ name, everyMs, make }) => {
      const times: number[] = [];
      measured.times.set(name, times);
      while (performance.now() < deadline) {
        const start = performance.now();
        await make().catch((error: unknown) => measured.faults.push(`, such as ${name}: ${String(error)}`));
        times.push(performance.now() - start);
        await sleep(everyMs);
      }
    }),
  );
  return measured;
}

function print(what: string, { times }: Measured): void {
  for (const [name, each] of times) {
    const at = (share: number) => percentile(each, share).toFixed(0);
    figure(`${what}: ${name}, ${each.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`);
  }
}

async function memory(): Promise<number> {
  const text = await fetch(service.metricsUrl).then((response) => response.text());
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

async function signIn(email: string): Promise<string> {
  const { status, cookie } = await trySignIn(
    service.url,
    { email, password: DEMO_PASSWORD },
    { origin: new URL(service.url).origin },
  );
  if (status !== 200) throw new Error(`Signing in returned ${status}.`);
  return cookie;
}

/** Connects a platform and returns its access token. */
async function connect(cookie: string): Promise<string> {
  const redirect = `${service.platformUrl}/dashboard/auth/oauth/return/App1/`;
  const query = new URLSearchParams({
    client_id: CLIENT.id,
    redirect_uri: redirect,
    response_type: 'code',
    state: 'drill',
  });
  const page = await fetch(`${service.url}/oauth/authorize?${query}`, { headers: { cookie } });
  const approved = await fetch(`${service.url}/oauth/authorize`, {
    method: 'POST',
    headers: { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fillInConsent(await page.text(), 'Demo Growth')),
    redirect: 'manual',
  });
  const code = new URL(approved.headers.get('location') ?? '', service.url).searchParams.get('code') ?? '';
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
    }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (!access_token) throw new Error(`The token endpoint returned ${response.status}.`);
  return access_token;
}

async function workspaceOf(accessToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await fetch(`${service.url}/api/automation/v1/me`, { headers });
  return ((await response.json()) as { workspace_id: string }).workspace_id;
}
