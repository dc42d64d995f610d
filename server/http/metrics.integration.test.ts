import { createServer } from 'node:net';
import { describe, expect } from 'vitest';
import { countAttempt, countEvents } from '#server/automation/deliveries/delivery-metrics.ts';
import { EVENT_KEYS, type EventKey } from '#server/contract/event-catalogue.ts';
import { LOGGED_EVENT_KEYS } from '#server/contract/program-events.ts';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { checkReadiness } from '#server/http/health.ts';
import { isInternalHost, startMetricsServer, withDatabase } from '#server/http/metrics-server.ts';
import { sendRaw } from '#test/clients/raw-socket.ts';
import { readMetrics } from '#test/clients/read-metrics.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { tokenClient } from '#test/clients/token-client.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';
import { withWorker } from '#test/fixtures/with-worker.ts';

const test = serviceTest.extend('metricsUrl', { scope: 'file' }, async ({ service: _ }, { onCleanup }) => {
  const server = await startMetricsServer({ port: 0, host: '127.0.0.1', health: checkReadiness });
  onCleanup(server.stop);
  return `http://127.0.0.1:${server.port}`;
});

test.for([
  ['127.0.0.1:9464', true],
  ['[::1]:9464', true],
  ['localhost', true],
  ['web-1:9464', true],
  ['web.shop.svc.cluster.local', true],
  ['metrics.acme.test', true],
  [undefined, true],
  ['evil.test', false],
  ['evil.test:9464', false],
  ['127.0.0.1.evil.test', false],
  ['local.evil.test', false],
  ['a b', false],
] as const)('a program that names the port by %s may read it: %s', ([header, may]) => {
  expect(isInternalHost(header, 'metrics.acme.test')).toBe(may);
});

test('a website cannot read the port by a name of its own', async ({ metricsUrl }) => {
  const { port } = new URL(metricsUrl);
  const [response] = await sendRaw(
    metricsUrl,
    `GET /metrics HTTP/1.1\r\nHost: evil.test:${port}\r\nConnection: close\r\n\r\n`,
  );
  expect(response?.status).toBe(421);
});

describe('GET /metrics', () => {
  test("is in Prometheus' text format, with the process metrics and ours", async ({ metricsUrl }) => {
    const { type, text } = await scrape(metricsUrl);
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    const names = [...readMetrics(text).keys()];
    expect(names).toEqual(
      expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']),
    );
    expect(names.filter((name) => name.startsWith('inbox_')).sort()).toEqual([
      'inbox_database_up',
      'inbox_deliveries_unended',
      'inbox_delivery_attempt_seconds',
      'inbox_delivery_attempts_total',
      'inbox_events_to_fan_out',
      'inbox_events_total',
      'inbox_held_work',
      'inbox_limit_calls_total',
      'inbox_oldest_due_delivery_seconds',
      'inbox_push_requests_total',
      'inbox_queue_jobs',
      'inbox_queue_oldest_ready_seconds',
      'inbox_revocations_total',
      'inbox_tokens_total',
      'inbox_worker_pools',
    ]);
  });

  test('has every counter from the start, at 0, so that the first increment is visible', async ({
    metricsUrl,
  }) => {
    const { text } = await scrape(metricsUrl);
    const read = readMetrics(text);
    expect([...(read.get('inbox_events_total')?.samples.keys() ?? [])]).toEqual(
      LOGGED_EVENT_KEYS.map((key) => `{event="${key}"}`),
    );
    expect(read.get('inbox_delivery_attempts_total')?.samples.get('{outcome="timed_out"}')).toBe(0);
    expect(read.get('inbox_limit_calls_total')?.samples.get('{limit="api",result="uncounted"}')).toBe(0);
    expect(read.get('inbox_tokens_total')?.samples.size).toBe(18);
  });

  test('contains no id', async ({ connection, metricsUrl }) => {
    await makeHook(connection);
    await useUpLimit(connection.id);
    expect((await scrape(metricsUrl)).text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});

describe('counters increase', () => {
  test('with an issued and a refused token', async ({ service, metricsUrl }) => {
    const platform = tokenClient(service.url);
    const { refreshToken } = await makeConnection();
    const refreshed = (result: string) => `inbox_tokens_total{grant="refresh_token",result="${result}"}`;
    expect(await growth(metricsUrl, refreshed('issued'), () => platform.refresh(refreshToken))).toBe(1);
    expect(await growth(metricsUrl, refreshed('invalid_grant'), () => platform.refresh('kzr_unknown'))).toBe(
      1,
    );
    const code = 'inbox_tokens_total{grant="authorization_code",result="invalid_grant"}';
    expect(await growth(metricsUrl, code, () => platform.exchange('kzc_unknown'))).toBe(1);
  });

  test('with requests of unknown clients, which cannot create new label values', async ({
    service,
    metricsUrl,
  }) => {
    const post = (fields: Record<string, string>) => () =>
      tokenClient(service.url).post('/oauth/token', fields);
    const unknown = 'inbox_tokens_total{grant="unknown",result="invalid_client"}';
    expect(await growth(metricsUrl, unknown, post({ grant_type: 'password"} 1\n' }))).toBe(1);
    const refresh = 'inbox_tokens_total{grant="refresh_token",result="invalid_client"}';
    expect(await growth(metricsUrl, refresh, post({ grant_type: 'refresh_token' }))).toBe(1);
  });

  test('with a revocation', async ({ service, metricsUrl }) => {
    const { refreshToken } = await makeConnection();
    const revoke = () => tokenClient(service.url).revoke(refreshToken);
    expect(await growth(metricsUrl, 'inbox_revocations_total{result="answered"}', revoke)).toBe(1);
  });

  test('with a passed and a refused call of a limit', async ({ metricsUrl }) => {
    const key = newAddress();
    const call = () => consumeLimit('approval', key);
    expect(await growth(metricsUrl, 'inbox_limit_calls_total{limit="approval",result="passed"}', call)).toBe(
      1,
    );
    for (let i = 1; i < 20; i += 1) await call();
    expect(await growth(metricsUrl, 'inbox_limit_calls_total{limit="approval",result="refused"}', call)).toBe(
      1,
    );
  });

  test('with attempts and events', async ({ metricsUrl }) => {
    const timedOut = async () => countAttempt({ outcome: 'timed_out', seconds: 15.02 });
    expect(await growth(metricsUrl, 'inbox_delivery_attempts_total{outcome="timed_out"}', timedOut)).toBe(1);
    const attempts = readMetrics((await scrape(metricsUrl)).text).get('inbox_delivery_attempt_seconds');
    expect(attempts?.type).toBe('histogram');
    expect(attempts?.samples.get('bucket{le="15"}')).toBe(0);
    expect(attempts?.samples.get('bucket{le="+Inf"}')).toBe(attempts?.samples.get('count'));
    const events = async () => countEvents({ 'contact.created': 3 });
    expect(await growth(metricsUrl, 'inbox_events_total{event="contact.created"}', events)).toBe(3);
  });

  test('with events that have a listening hook, and not with others', async ({ connection, metricsUrl }) => {
    const hook = await makeHook(connection);
    const record = async (key: EventKey) => {
      const { workspaceId } = connection;
      const { id } = await db().event.create({ data: { workspaceId, key, body: '{}' } });
      await db().eventToFanOut.create({ data: { eventId: id } });
    };
    const before = await eventCounts(metricsUrl);
    for (const key of EVENT_KEYS) await record(key);
    await withWorker(() => until('all are fanned out', async () => (await db().eventToFanOut.count()) === 0));
    // The backlog of the other tests starts empty.
    await db().delivery.deleteMany({ where: { hookId: hook.id } });
    const after = await eventCounts(metricsUrl);
    const grown = EVENT_KEYS.filter((key) => after.get(key) !== before.get(key));
    expect(grown).toEqual([hook.event]);
  });
});

describe('the backlog in the database', () => {
  test('has due and scheduled deliveries, the age of the oldest due one, and events before their fan-out', async ({
    connection,
    metricsUrl,
  }) => {
    const { workspaceId } = connection;
    const hook = await makeHook(connection);
    const before = Date.now();
    for (const seconds of [100, 40, -500, -10]) {
      const event = await db().event.create({ data: { workspaceId, key: hook.event, body: '{}' } });
      const nextAttemptAt = new Date(Date.now() - seconds * 1000);
      await db().delivery.create({
        data: { workspaceId, eventId: event.id, hookId: hook.id, nextAttemptAt },
      });
      await db().eventToFanOut.create({ data: { eventId: event.id } });
    }
    const read = readMetrics((await scrape(metricsUrl)).text);
    const unended = read.get('inbox_deliveries_unended')?.samples;
    expect([...(unended ?? [])]).toEqual([
      ['{state="due"}', 2],
      ['{state="scheduled"}', 2],
    ]);
    const oldest = read.get('inbox_oldest_due_delivery_seconds')?.samples.get('');
    expect(oldest).toBeGreaterThanOrEqual(100);
    expect(oldest).toBeLessThanOrEqual(100 + (Date.now() - before + 1) / 1_000);
    expect(read.get('inbox_events_to_fan_out')?.samples.get('')).toBe(4);
  });

  test('has jobs by task and state, and the age of the oldest ready one', async ({ metricsUrl }) => {
    const before = Date.now();
    await db().$executeRaw`
      select graphile_worker.add_job('send-message', run_at := now() + ago) from unnest(
        array['-90 s', '-1 s', '1 h']::interval[]) as ago`;
    await db().$executeRaw`
      select graphile_worker.permanently_fail_jobs(array[(graphile_worker.add_job('send-message')).id], 'over')`;
    // Just committed and not yet moved.
    await db().$executeRaw`
      insert into job_outbox (task, payload, run_at) select 'send-message', '{}', now() + ago
      from unnest(array[null, '1 h']::interval[]) as ago`;
    const read = readMetrics((await scrape(metricsUrl)).text);
    const jobs = (state: string) =>
      read.get('inbox_queue_jobs')?.samples.get(`{task="send-message",state="${state}"}`);
    expect(['ready', 'scheduled', 'running', 'given_up'].map(jobs)).toEqual([3, 2, 0, 1]);
    const oldest = read.get('inbox_queue_oldest_ready_seconds')?.samples.get('{task="send-message"}');
    expect(oldest).toBeGreaterThanOrEqual(90);
    expect(oldest).toBeLessThanOrEqual(90 + (Date.now() - before + 1) / 1_000);
  });

  test('has live worker pools', async ({ metricsUrl }) => {
    await db().$executeRaw`
      insert into worker_leases (pool_id, expires_at)
      values ('alive', now() + interval '1 hour'), ('dead', now() - interval '1 second')`;
    expect(await sampleOf(metricsUrl, 'inbox_worker_pools')).toBe(1);
  });
});

describe('GET /health', () => {
  test('reports a healthy process', async ({ metricsUrl }) => {
    expect(await request(metricsUrl, '/health')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  test.each([
    [{ ok: true, lease: 'held' }, 200, { status: 'ok', lease: 'held', database: 'answers' }],
    [{ ok: false, lease: 'lost' }, 503, { status: 'not ok', lease: 'lost', database: 'answers' }],
  ])('reports the process and its database: %j', async (health, status, body) => {
    const other = await startMetricsServer({
      port: 0,
      host: '127.0.0.1',
      health: () => withDatabase(health),
    });
    const response = await fetch(`http://127.0.0.1:${other.port}/health`);
    expect([response.status, await response.json()]).toEqual([status, body]);
    await other.stop();
  });

  test.each<[string, () => Promise<never>, string]>([
    ['never answers', () => new Promise<never>(() => {}), 'No response in time.'],
    ['fails', () => Promise.reject(new Error('broken')), 'The health check failed.'],
  ])('reports a process that %s', async (_what, health, reason) => {
    const other = await startMetricsServer({ port: 0, host: '127.0.0.1', health });
    const response = await fetch(`http://127.0.0.1:${other.port}/health`);
    expect([response.status, await response.json()]).toEqual([503, { status: 'not ok', reason }]);
    await other.stop();
  });

  test('other paths are 404, and other methods are refused', async ({ metricsUrl }) => {
    expect((await request(metricsUrl, '/')).status).toBe(404);
    expect((await request(metricsUrl, '/metrics/')).status).toBe(404);
    expect((await request(metricsUrl, '/health', { method: 'POST' })).status).toBe(405);
  });
});

test('a port in use is reported with its setting', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startMetricsServer({ port, host: '127.0.0.1', health: checkReadiness })).rejects.toThrow(
    `Port ${port} is in use. Free it, or set METRICS_PORT to another one.`,
  );
  await new Promise((resolve) => other.close(resolve));
});

async function scrape(metricsUrl: string) {
  const response = await fetch(`${metricsUrl}/metrics`);
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), text: await response.text() };
}

/** Returns the value of `inbox_events_total` by event. */
async function eventCounts(metricsUrl: string): Promise<Map<EventKey, number | undefined>> {
  const samples = readMetrics((await scrape(metricsUrl)).text).get('inbox_events_total')?.samples;
  return new Map(EVENT_KEYS.map((key) => [key, samples?.get(`{event="${key}"}`)]));
}

/** Returns the value of a series, such as `inbox_tokens_total{grant="refresh_token",result="issued"}`. */
async function sampleOf(metricsUrl: string, series: string): Promise<number | undefined> {
  const [, name = '', labels = ''] = /^([a-z_]+)(.*)$/.exec(series) ?? [];
  return readMetrics((await scrape(metricsUrl)).text)
    .get(name)
    ?.samples.get(labels);
}

/** Returns the growth of a series during `work`. */
async function growth(metricsUrl: string, series: string, work: () => Promise<unknown>): Promise<number> {
  const before = await sampleOf(metricsUrl, series);
  await work();
  return Number(await sampleOf(metricsUrl, series)) - Number(before);
}

const request = async (metricsUrl: string, path: string, init: RequestInit = {}) => {
  const response = await fetch(`${metricsUrl}${path}`, init);
  return { status: response.status, body: await response.json() };
};
