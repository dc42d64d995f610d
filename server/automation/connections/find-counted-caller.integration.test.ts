import { expect, test } from 'vitest';
import { findCountedCaller } from '#server/automation/connections/find-counted-caller.ts';
import { db } from '#server/ground/db.ts';
import { makeConnection } from '#test/factories.ts';
import { statementsOf } from '#test/statements.ts';
import { useUpLimit } from '#test/use-up-limit.ts';
import { withTestService } from '#test/with-service.ts';

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
