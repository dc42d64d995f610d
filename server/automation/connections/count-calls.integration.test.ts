import { expect } from 'vitest';
import { findCaller } from '#server/automation/connections/find-caller.ts';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type GetMe, test } from '#test/fixtures/platform-test.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

test('one statement finds the callers of concurrent requests', async () => {
  const [often, once, ended] = await Promise.all([makeConnection(), makeConnection(), makeConnection()]);
  const end = { endedAt: new Date(), endReason: 'disconnected' } as const;
  await db().connection.update({ where: { id: ended.id }, data: end });
  const tokens = [often, ended, often, once, often].map(({ accessToken }) => accessToken);
  const callers: Awaited<ReturnType<typeof findCaller>>[] = [];
  const sent = await statementsOf(async () => {
    callers.push(...(await Promise.all([...tokens, 'no such token'].map(findCaller))));
  });
  expect(sent.length).toBeLessThanOrEqual(1);
  const callerIn = ({ id }: { id: string }) => ({ kind: 'caller', caller: { connectionId: id } });
  expect(callers).toMatchObject([
    callerIn(often),
    { kind: 'unauthorized', isUnknown: false },
    callerIn(often),
    callerIn(once),
    callerIn(often),
    { kind: 'unauthorized', isUnknown: true },
  ]);
});

test('each call counts for its connection, and its response has the remaining calls', async ({ getMe }) => {
  const [often, once] = await Promise.all([makeConnection(), makeConnection()]);
  const tokens = [often, once, often, often].map(({ accessToken }) => accessToken);
  const left = (await Promise.all(tokens.map((token) => callMe(getMe, token)))).map(
    ({ remaining }) => remaining,
  );
  expect([left[0], left[2], left[3]].toSorted()).toEqual(['297', '298', '299']);
  expect(left[1]).toBe('299');
  expect(await Promise.all([often, once].map(({ id }) => takenBy(id)))).toEqual([3, 1]);
});

test('the limit accepts the remaining number of concurrent calls and refuses the rest', async ({ getMe }) => {
  const { id, accessToken } = await makeConnection();
  await consumeLimit('api', id, 298);
  const responses = await Promise.all([1, 2, 3, 4].map(() => callMe(getMe, accessToken)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
});

test('a call with an invalid token is not counted', async ({ getMe }) => {
  const [replaced, expired, ended] = await Promise.all([
    makeConnection(),
    makeConnection(),
    makeConnection(),
  ]);
  await db().connection.update({ where: { id: replaced.id }, data: { liveTokenTimes: [] } });
  await db().accessToken.updateMany({
    where: { connectionId: expired.id },
    data: { expiresAt: new Date(0) },
  });
  const end = { endedAt: new Date(), endReason: 'disconnected' } as const;
  await db().connection.update({ where: { id: ended.id }, data: end });
  for (const { id, accessToken } of [replaced, expired, ended]) {
    expect(await findCaller(accessToken)).toMatchObject({ kind: 'unauthorized', isUnknown: false });
    expect((await callMe(getMe, accessToken)).status).toBe(401);
    expect(await takenBy(id)).toBe(0);
  }
});

test('an attacker who continues after the limit causes no more writes', async ({ getMe }) => {
  const { id, accessToken } = await makeConnection();
  await useUpLimit(id);
  const goOn = async () => {
    expect(await callMe(getMe, accessToken)).toEqual({ status: 429, remaining: '0' });
    return takenBy(id);
  };
  await goOn();
  const remembered = await goOn();
  expect(await goOn()).toBe(remembered);
  expect(await goOn()).toBe(remembered);
});

const takenBy = async (id: string) => {
  const rows = await db().$queryRaw<{ points: number }[]>`
    select points from rate_limits where key = ${`api:${id}`}`;
  return rows[0]?.points ?? 0;
};
const callMe = async (getMe: GetMe, accessToken: string) => {
  const { status, headers } = await getMe(accessToken);
  return { status, remaining: headers.get('x-ratelimit-remaining') };
};
