import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { forget } from '#server/core/limits/limit-store.ts';
import { consumeLimit, resetLimit } from '#server/core/limits/limits.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { statementsOf } from '#test/database/statements.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('calls of one turn share a statement, and each gets its own count', async () => {
  const left: number[] = [];
  const sent = await statementsOf(async () => {
    const states = await Promise.all([
      consumeLimit('token', '203.0.113.1'),
      consumeLimit('token', '203.0.113.2'),
      consumeLimit('token', '203.0.113.1', 5),
      consumeLimit('approval', '203.0.113.1'),
      consumeLimit('token', '203.0.113.1'),
    ]);
    left.push(...states.map(({ remaining }) => remaining));
  });
  expect(sent.length).toBeLessThanOrEqual(1);
  expect(left).toEqual([59, 59, 54, 19, 53]);
  expect(await pointsOf('token:203.0.113.1')).toBe(7);
});

test('of the calls of one turn only as many pass as the limit allows', async () => {
  await consumeLimit('token', '203.0.113.3', 58);
  const states = await Promise.all([1, 2, 3, 4].map(() => consumeLimit('token', '203.0.113.3')));
  expect(states.map(({ allowed }) => allowed)).toEqual([true, true, false, false]);
});

test('windows of one statement have the length of their limits', async () => {
  const before = Date.now();
  await Promise.all([consumeLimit('token', '203.0.113.4'), consumeLimit('password_check', 'session')]);
  const [short, long] = await db().$queryRaw<{ expire: bigint }[]>`
    select expire from rate_limits where key in ('token:203.0.113.4', 'password_check:session') order by expire`;
  const took = Date.now() - before;
  for (const [window, seconds] of [
    [short, 60],
    [long, 900],
  ] as const) {
    expect(Number(window?.expire) - before).toBeGreaterThanOrEqual(seconds * 1_000);
    expect(Number(window?.expire) - before).toBeLessThanOrEqual(seconds * 1_000 + took);
  }
});

test('statements with the same keys in any order do not deadlock', async () => {
  const addresses = Array.from({ length: 12 }, (_, n) => `203.0.113.${100 + n}`);
  const rounds = 40;
  const under: Promise<{ allowed: boolean; remaining: number }>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const inOrder = round % 2 ? addresses.toReversed() : addresses;
    under.push(...inOrder.map((address) => consumeLimit('token', address)));
    await setImmediate();
  }
  await Promise.all(under);
  // A cancelled statement would have counted nothing.
  expect(await Promise.all(addresses.map((address) => pointsOf(`token:${address}`)))).toEqual(
    addresses.map(() => rounds),
  );
});

test('a statement that waits for a key does not block later ones for other keys', async () => {
  await consumeLimit('token', '203.0.113.5');
  const { waiting } = await inTransaction(async (tx) => {
    await tx.$queryRaw`select from rate_limits where key = 'token:203.0.113.5' for update`;
    const started = consumeLimit('token', '203.0.113.5');
    await until('it waits for the row', async () => (await countLockWaiters()) === 1);
    expect((await consumeLimit('token', '203.0.113.6')).remaining).toBe(59);
    return { waiting: started };
  });
  expect((await waiting).remaining).toBe(58);
});

test('an attacker with a key that PostgreSQL refuses does not leave other calls uncounted', async () => {
  const odd = ['with a \0', 'half a \ud83d', 'x'.repeat(300), 'ü'.repeat(255)];
  const states = await Promise.all([...odd, 'usual'].map((key) => consumeLimit('approval', key)));
  expect(states.map(({ remaining }) => remaining)).toEqual([19, 19, 19, 19, 19]);
  expect((await consumeLimit('approval', 'with a \0')).remaining).toBe(18);
  expect((await consumeLimit('approval', 'x'.repeat(301))).remaining).toBe(19);
  await resetLimit('approval', 'with a \0');
  expect((await consumeLimit('approval', 'with a \0')).remaining).toBe(19);
});

test('calls beyond the limit write nothing', async () => {
  await consumeLimit('token', '203.0.113.7', 61);
  const sent = await statementsOf(async () => {
    expect(await consumeLimit('token', '203.0.113.7')).toMatchObject({ allowed: false, remaining: 0 });
  });
  expect(sent).toEqual([]);
  await resetLimit('token', '203.0.113.7');
  expect(await consumeLimit('token', '203.0.113.7')).toMatchObject({ allowed: true, remaining: 59 });
});

test('a limit that another process reset counts again in the process that refused calls', async () => {
  const email = 'ada@acme.test';
  await consumeLimit('reset_mail', email, 3);
  for (const _ of [1, 2]) expect((await consumeLimit('reset_mail', email)).allowed).toBe(false);
  // As a new password at another server does.
  await forget(`reset_mail:${email}`);
  expect(await consumeLimit('reset_mail', email)).toMatchObject({ allowed: true, remaining: 2 });
});

const pointsOf = async (key: string) => {
  const rows = await db().$queryRaw<{ points: number }[]>`select points from rate_limits where key = ${key}`;
  return rows[0]?.points;
};
