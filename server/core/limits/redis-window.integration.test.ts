import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#scripts/tools/ports.ts';
import { closeLimiterStore, openLimiterStore } from '#server/core/limits/limiter-store.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { setClock } from '#test/fixtures/later.ts';
import { timed } from '#test/fixtures/timed.ts';
import { until } from '#test/fixtures/until.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';
import { REDIS_SERVER, redisUrl, startRedis, type TestRedis } from '#test/servers/redis.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const allowed = async (key: string) => (await takeFrom('api', key)).allowed;

afterEach(() => {
  vi.useRealTimers();
});

describe.skipIf(!REDIS_SERVER)('counted in Redis, a window', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    const port = await findFreePort();
    redis = await startRedis(port);
    setTestSettings({ REDIS_URL: redisUrl(port) });
    await openLimiterStore();
  });
  afterAll(async () => {
    closeLimiterStore();
    await redis.kill();
  });

  test('is over when its key expires, also for the process that has refused calls', async () => {
    const before = Date.now();
    await useUpLimit('a');
    expect(await allowed('a')).toBe(false);
    const refused = Date.now();
    // Redis has a clock of its own: there the window is shortened instead.
    await redis.client.pexpire('limits:api:a', 1);
    await until('the key is gone', async () => (await redis.client.exists('limits:api:a')) === 0);
    setClock(before + 59_000);
    expect(await allowed('a')).toBe(false);
    setClock(refused + 61_000);
    expect(await takeFrom('api', 'a')).toMatchObject({ allowed: true, remaining: 299 });
  });

  test('starts at the first call, lasts 60 seconds and is not moved by later ones', async () => {
    const { result: left, ms } = await timed(async () => {
      await takeFrom('api', 'b');
      return redis.client.pttl('limits:api:b');
    });
    expect(left).toBeGreaterThanOrEqual(60_000 - ms - 1);
    expect(left).toBeLessThanOrEqual(60_000);
    await redis.client.pexpire('limits:api:b', 30_000);
    const second = await takeFrom('api', 'b');
    expect(second.remaining).toBe(298);
    expect(second.retryAfterSeconds).toBeLessThanOrEqual(30);
    expect(await redis.client.pttl('limits:api:b')).toBeLessThanOrEqual(30_000);
  });
});
