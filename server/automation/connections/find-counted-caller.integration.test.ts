import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type CountedCaller, findCountedCaller } from '#server/automation/connections/find-caller.ts';
import { db } from '#server/core/database/db.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

withTestService();

const takenBy = async (id: string) => {
  const rows = await db().$queryRaw<{ points: number }[]>`
    select points from rate_limits where key = ${`api:${id}`}`;
  return rows[0]?.points ?? 0;
};

test('one statement finds the caller and counts the call', async () => {
  const { id, accessToken } = await makeConnection();
  const sent = await statementsOf(async () => {
    expect(await findCountedCaller(accessToken)).toMatchObject({
      found: { kind: 'caller', caller: { connectionId: id } },
      limit: { allowed: true, limit: 300, remaining: 299 },
    });
  });
  expect(sent).toHaveLength(1);
  expect(await takenBy(id)).toBe(1);
});

test('calls that come at once are found and counted by one statement, and each learns what it left', async () => {
  const [often, once, ended] = await Promise.all([makeConnection(), makeConnection(), makeConnection()]);
  const end = { endedAt: new Date(), endReason: 'disconnected' } as const;
  await db().connection.update({ where: { id: ended.id }, data: end });
  const tokens = [often, ended, often, once, often].map(({ accessToken }) => accessToken);
  const responses: CountedCaller[] = [];
  const sent = await statementsOf(async () => {
    responses.push(...(await Promise.all([...tokens, 'no such token'].map(findCountedCaller))));
  });
  expect(sent).toHaveLength(1);
  const left = (remaining: number) => ({ found: { kind: 'caller' }, limit: { allowed: true, remaining } });
  expect(responses).toMatchObject([
    left(299),
    { unauthorized: { isUnknown: false } },
    left(298),
    left(299),
    left(297),
    { unauthorized: { isUnknown: true } },
  ]);
  expect(await Promise.all([often, once, ended].map(({ id }) => takenBy(id)))).toEqual([3, 1, 0]);
});

test('of calls at once the limit lets through what is left of it, and refuses the others', async () => {
  const { id, accessToken } = await makeConnection();
  await takeFrom('api', id, 298);
  const responses = await Promise.all([1, 2, 3, 4].map(() => findCountedCaller(accessToken)));
  expect(responses.map(({ limit }) => limit?.allowed)).toEqual([true, true, false, false]);
});

test('calls of the same connections in any order at once do not wait for each other in a ring', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => makeConnection()));
  const tokens = made.map(({ accessToken }) => accessToken);
  const rounds = 40;
  const sent = await statementsOf(async () => {
    const under: Promise<unknown>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const asked = round % 2 ? tokens.toReversed() : tokens;
      under.push(...asked.map(findCountedCaller));
      await setImmediate();
    }
    await Promise.all(under);
  });
  // One that was broken off would have gone on in turn.
  expect(sent).toHaveLength(rounds);
  expect(await Promise.all(made.map(({ id }) => takenBy(id)))).toEqual(made.map(() => rounds));
});

test('of a token that opens nothing no call is counted', async () => {
  const [replaced, expired, ended] = await Promise.all([
    makeConnection(),
    makeConnection(),
    makeConnection(),
  ]);
  await db().connection.update({ where: { id: replaced.id }, data: { accessTokenHash: null } });
  await db().accessToken.updateMany({
    where: { connectionId: expired.id },
    data: { expiresAt: new Date(0) },
  });
  const end = { endedAt: new Date(), endReason: 'disconnected' } as const;
  await db().connection.update({ where: { id: ended.id }, data: end });
  for (const { id, accessToken } of [replaced, expired, ended]) {
    expect(await findCountedCaller(accessToken)).toMatchObject({ unauthorized: { isUnknown: false } });
    expect(await takenBy(id)).toBe(0);
  }
});

test('the attacker who goes on after the limit has nothing written any more', async () => {
  const { id, accessToken } = await makeConnection();
  await useUpLimit(id);
  const goOn = async () => {
    expect(await findCountedCaller(accessToken)).toMatchObject({ limit: { allowed: false, remaining: 0 } });
    return takenBy(id);
  };
  await goOn();
  const remembered = await goOn();
  expect(await goOn()).toBe(remembered);
  expect(await goOn()).toBe(remembered);
});
