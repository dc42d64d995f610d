import { describe, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit, type LimitName, resetLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { UNSUBSCRIBE_PATH } from '#server/inbox/ratings/rating-link.ts';
import { newAddress, trySignIn } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** `test` without the table of the limits. `logged` is the error log. */
const test = serviceTest
  .extend('errorLog', { scope: 'file', auto: true }, async ({ service: _ }, { onCleanup }) => {
    await db().$executeRaw`drop table rate_limits`;
    const spy = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
    onCleanup(() => spy.mockRestore());
    return spy;
  })
  .extend('logged', ({ errorLog }) => errorLog.mockClear());

describe('while the limits table is unavailable', () => {
  test.for<[LimitName, number]>([
    ['sign_in', 30],
    ['reset_address', 20],
    ['approval', 20],
    ['chat_visitor', 20],
    ['rating', 10],
  ])('%s is counted in memory, and each fault is logged', async ([name, points], { logged }) => {
    const key = `${name}-key`;
    expect(await countPassing(name, key)).toBe(points);
    expect(logged).toHaveBeenCalledTimes(points + 1);
    expect(logged).toHaveBeenCalledWith({ err: expect.any(Error), limit: name }, 'limit.failed');
    const refused = await consumeLimit(name, key);
    expect(refused.remaining).toBe(0);
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect((await consumeLimit(name, `another ${name}`)).allowed).toBe(true);
  });

  test.for<LimitName>(['api', 'token'])('%s passes, and the fault is logged', async (name, { logged }) => {
    for (let i = 0; i < 3; i += 1) {
      const { allowed, remaining, limit } = await consumeLimit(name, 'a');
      expect([allowed, remaining]).toEqual([true, limit]);
    }
    expect(logged).toHaveBeenCalledWith({ err: expect.any(Error), limit: name }, 'limit.failed');
  });

  test('a reset also resets the count in memory', async () => {
    await countPassing('sign_in', '203.0.113.9');
    await resetLimit('sign_in', '203.0.113.9');
    expect((await consumeLimit('sign_in', '203.0.113.9')).remaining).toBe(29);
  });

  test('an attacker still has ten guesses at a password', async ({ service }) => {
    const { email } = await makeUser();
    const from = { 'x-forwarded-for': newAddress() };
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      statuses.push((await trySignIn(service.url, { email, password: `guess ${i}` }, from)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });
});

test('an attacker with an IPv6 /64 counts as one address', async ({ service }) => {
  // Checking 30 passwords can take a busy machine longer than the minute of the limit.
  await consumeLimit('sign_in', '2001:db8:77:1::', 29);
  const statuses: number[] = [];
  for (const n of [1, 2, 3]) {
    const from = { 'x-forwarded-for': `2001:db8:77:1::${n}` };
    statuses.push((await trySignIn(service.url, { email: `a${n}@b.test`, password: 'guess' }, from)).status);
  }
  expect(statuses).toEqual([401, 429, 429]);
});

test('an attacker with an IPv6 /64 guesses as many unsubscribe links as with one address', async ({
  service,
}) => {
  const statuses: number[] = [];
  for (let i = 0; i < 122; i += 1) {
    const headers = { 'x-forwarded-for': `2001:db8:77:2::${i.toString(16)}` };
    statuses.push((await fetch(`${service.url}${UNSUBSCRIBE_PATH}guess-${i}`, { headers })).status);
  }
  expect(statuses).toEqual([...Array(120).fill(404), 429, 429]);
});

/** Returns the number of calls that pass before one is refused, at most 100. */
async function countPassing(name: LimitName, key: string): Promise<number> {
  for (let passed = 0; passed < 100; passed += 1) if (!(await consumeLimit(name, key)).allowed) return passed;
  return 100;
}
