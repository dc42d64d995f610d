import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#scripts/tools/ports.ts';
import { closeLimiterStore, openLimiterStore } from '#server/core/limits/limiter-store.ts';
import { resetLimit, takeFrom } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { type ApiResponse, apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { timed } from '#test/fixtures/timed.ts';
import { until } from '#test/fixtures/until.ts';
import { REDIS_SERVER, redisUrl, startRedis, type TestRedis } from '#test/servers/redis.ts';
import { startServerProcess } from '#test/servers/service-processes.ts';

/** Upper bound on a call while Redis does not respond, in ms: the timeout of 3 s and as much as a call otherwise takes. */
const PATIENCE_MS = 5_000;

let service: TestService;
let port: number;
let api: ReturnType<typeof apiClient>;
const logged = vi.fn<(fields: unknown, message?: string) => void>();

beforeAll(async () => {
  port = await findFreePort();
  service = await startTestService({ REDIS_URL: redisUrl(port) });
  vi.spyOn(log(), 'error').mockImplementation(logged);
});
afterAll(() => service.stop());
beforeEach(async () => {
  logged.mockClear();
  api = apiClient(service.url, (await makeConnection()).accessToken);
});

const remaining = ({ headers }: ApiResponse) => Number(headers.get('x-ratelimit-remaining'));

/** A call that passes although nothing could be counted, and soon. */
async function expectPassUncounted(): Promise<void> {
  // A request that counts nothing: on a busy machine both take longer.
  const control = await timed(() => fetch(`${service.url}/readyz`));
  expect(control.result.status).toBe(200);
  const { result: response, ms } = await timed(() => api('GET', '/me'));
  expect(ms).toBeLessThan(PATIENCE_MS + 20 * control.ms);
  expect(response.status).toBe(200);
  expect(remaining(response)).toBe(300);
  expect(logged).toHaveBeenCalledWith({ err: expect.any(Error), limit: 'api' }, 'limit.failed');
}

/** Returns the messages of the errors that were logged as `limit.failed`. */
const faults = () =>
  logged.mock.calls.flatMap(([fields, message]) =>
    message === 'limit.failed' ? [(fields as { err: Error }).err.message] : [],
  );

const untilCounted = () =>
  until('limits are counted again', async () => remaining(await api('GET', '/me')) < 300);

describe.skipIf(!REDIS_SERVER)('calls pass and the fault is logged', () => {
  let redis: TestRedis | undefined;
  afterEach(async () => {
    closeLimiterStore();
    await redis?.kill();
  });
  async function freshRedis(): Promise<TestRedis> {
    redis = await startRedis(port);
    await openLimiterStore();
    return redis;
  }

  test('while there is no Redis yet; once there is, they are counted', async () => {
    await expectPassUncounted();
    redis = await startRedis(port);
    await untilCounted();
  });

  test('while Redis is dead; once it is back, they are counted', async () => {
    const { kill } = await freshRedis();
    expect(remaining(await api('GET', '/me'))).toBe(299);
    expect(remaining(await api('GET', '/me'))).toBe(298);
    expect(logged).not.toHaveBeenCalled();
    await kill();
    await expectPassUncounted();
    await expectPassUncounted();

    redis = await startRedis(port);
    await untilCounted();
  });

  test('when Redis dies while calls are under way', async () => {
    const { kill } = await freshRedis();
    const calls = Promise.all(Array.from({ length: 100 }, () => api('GET', '/me')));
    await kill();
    expect(new Set((await calls).map(({ status }) => status))).toEqual(new Set([200]));
    await expectPassUncounted();
  });

  test('while Redis hangs: after some seconds at first, and then at once', async () => {
    const { pause, resume } = await freshRedis();
    pause();
    const first = await Promise.all(Array.from({ length: 20 }, () => api('GET', '/me')));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
    await expectPassUncounted();
    await until('calls no longer wait for Redis', async () => {
      logged.mockClear();
      await expectPassUncounted();
      return faults().every((message) => message !== 'Command timed out');
    });

    resume();
    await untilCounted();
  });

  test('losing Redis and having it back is logged once each', async () => {
    const { kill } = await freshRedis();
    const info = vi.spyOn(log(), 'info');
    await kill();
    await until('a call passes uncounted', async () => remaining(await api('GET', '/me')) === 300);
    const lost = () => logged.mock.calls.filter(([, message]) => message === 'limit.redis_lost');
    await until('the loss is logged', () => lost().length > 0);
    redis = await startRedis(port);
    await untilCounted();
    expect(lost()).toHaveLength(1);
    expect(info.mock.calls.filter(([message]) => String(message) === 'limit.redis_back')).toHaveLength(1);
  });

  test('and forgetting failed sign-ins is no reason to fail either', async () => {
    const { kill } = await freshRedis();
    for (let i = 0; i < 10; i += 1) await takeFrom('sign_in_failure', 'ada@acme.test');
    expect((await takeFrom('sign_in_failure', 'ada@acme.test')).allowed).toBe(false);
    await resetLimit('sign_in_failure', 'ada@acme.test');
    expect((await takeFrom('sign_in_failure', 'ada@acme.test')).remaining).toBe(9);
    await kill();
    await resetLimit('sign_in_failure', 'ada@acme.test');
    expect(logged).toHaveBeenCalledWith({ err: expect.any(Error), limit: 'sign_in_failure' }, 'limit.failed');
  });

  test('also for a server that starts with a wrong password, which it does not reveal', async () => {
    await freshRedis();
    const REDIS_URL = redisUrl(port, 'not-the-password');
    const server = await startServerProcess({ REDIS_URL, LOG_LEVEL: 'trace' });
    const { accessToken } = await makeConnection();
    const response = await apiClient(server.url, accessToken)('GET', '/me');
    expect(response).toMatchObject({ status: 200 });
    expect(await server.stop()).toBe(0);
    expect(server.output()).toContain('limit.redis_lost');
    expect(server.output()).toContain('limit.failed');
    expect(server.output()).not.toContain('not-the-password');
  });
});
