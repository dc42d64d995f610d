import { describe, expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { type TokenResponse, tokensOf } from '#test/clients/token-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeConnection, makeWaitingConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

const key = ({ workspaceId, teammate }: Member) => ({
  workspaceId_userId: { workspaceId, userId: teammate.id },
});
const setRole = (member: Member, role: Role) => db().member.update({ where: key(member), data: { role } });
const remove = (member: Member) => db().member.delete({ where: key(member) });

const LOSSES = [
  ['made an agent', (member: Member) => setRole(member, 'agent'), 'not_allowed'],
  ['made a viewer', (member: Member) => setRole(member, 'viewer'), 'not_allowed'],
  ['removed', remove, 'teammate_left'],
] as const;

describe('docs/spec.md §3, §7: a teammate who may no longer connect gets no token', () => {
  test.for(LOSSES)(
    'in exchange for a code, when %s since approving',
    async ([_what, lose, reason], { platform }) => {
      const connection = await makeWaitingConnection();
      await lose(connection);
      expectInvalidGrant(await platform.exchange(connection.code));
      await expectEnded(connection, reason);
      expect(await db().accessToken.count({ where: { connectionId: connection.id } })).toBe(0);
      expect((await platform.exchange(connection.code)).body).toMatchObject({ error: 'invalid_grant' });
    },
  );

  test.for(LOSSES)(
    'by refreshing, when %s, and the connection ends',
    async ([_what, lose, reason], { connection, api, platform }) => {
      const hook = { event: 'contact.created', target_url: `https://${PLATFORM.hooksHost}/1` };
      expect((await api('POST', '/hooks', hook)).status).toBe(201);
      await lose(connection);
      expectInvalidGrant(await platform.refresh(connection.refreshToken));
      await expectEnded(connection, reason);
      expect(await db().hook.findMany({ where: { connectionId: connection.id } })).toMatchObject([
        { removedAt: expect.any(Date), removalReason: reason },
      ]);
      expect((await platform.refresh(connection.refreshToken)).body).toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  test('in exchange for a code, when the connection ends during the exchange', async ({ platform }) => {
    const connection = await makeWaitingConnection();
    const { exchange } = await inTransaction(async (tx) => {
      await tx.$executeRaw`select from connections where id = ${connection.id}::uuid for no key update`;
      const started = platform.exchange(connection.code);
      await until('the exchange waits for the connection', async () => (await countLockWaiters()) === 1);
      await tx.$executeRaw`
        update connections set ended_at = now(), end_reason = 'disconnected' where id = ${connection.id}::uuid`;
      return { exchange: started };
    });
    expect((await exchange).body).toMatchObject({ error: 'invalid_grant' });
    const tokens = { where: { connectionId: connection.id } };
    expect(await db().accessToken.count(tokens)).toBe(0);
    expect(await db().refreshToken.count(tokens)).toBe(0);
  });

  test('and restoring the role does not restore the connection', async ({ connection, platform, getMe }) => {
    await setRole(connection, 'agent');
    await platform.refresh(connection.refreshToken);
    await setRole(connection, 'owner');
    expect((await platform.refresh(connection.refreshToken)).status).toBe(400);
    const me = await getMe(connection.accessToken);
    expect([me.status, me.body]).toEqual([
      401,
      { message: 'This workspace connection is no longer valid, reconnect.' },
    ]);
  });

  test('but a connection keeps working if the role was restored before any call', async ({
    connection,
    platform,
    getMe,
  }) => {
    await setRole(connection, 'viewer');
    await setRole(connection, 'admin');
    const { access_token } = tokensOf(await platform.refresh(connection.refreshToken));
    expect((await getMe(access_token)).status).toBe(200);

    const waiting = await makeWaitingConnection();
    await setRole(waiting, 'agent');
    await setRole(waiting, 'admin');
    expect((await platform.exchange(waiting.code)).status).toBe(200);
  });

  test('only the role in the connected workspace counts', async ({ connection, platform }) => {
    const elsewhere = await makeConnection({ teammate: connection.teammate });
    await setRole(connection, 'agent');
    expectInvalidGrant(await platform.refresh(connection.refreshToken));
    expect((await platform.refresh(elsewhere.refreshToken)).status).toBe(200);
  });

  test('parallel refreshes end the connection once', async ({ connection, platform }) => {
    await remove(connection);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => platform.refresh(connection.refreshToken)),
    );
    for (const { body } of responses) expect(body).toMatchObject({ error: 'invalid_grant' });
    await expectEnded(connection, 'teammate_left');
  });
});

type Member = { workspaceId: string; teammate: { id: string } };

function expectInvalidGrant(response: TokenResponse) {
  expect([response.status, response.body]).toEqual([
    400,
    {
      error: 'invalid_grant',
      error_description:
        'The teammate is no longer an owner or admin of this workspace. Ask one of them to connect again.',
    },
  ]);
}

async function expectEnded({ id, workspaceId }: { id: string; workspaceId: string }, reason: string) {
  expect(await db().connection.findUnique({ where: { id } })).toMatchObject({
    endedAt: expect.any(Date),
    endReason: reason,
  });
  expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
  const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } });
  expect(entries).toMatchObject([{ connectionId: id, data: { reason } }]);
}
