import { describe, expect } from 'vitest';
import { findCallers } from '#server/automation/connections/find-caller.ts';
import { findProgram } from '#server/automation/tokens/find-program.ts';
import { newToken } from '#server/automation/tokens/token-text.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { makeCode, makeConnection } from '#test/fixtures/factories.ts';
import { type GetMe, test } from '#test/fixtures/platform-test.ts';

describe('docs/spec.md §5: every call checks the teammate of the access token', () => {
  test.for(['agent', 'viewer'] as const)(
    'a teammate who becomes %s is refused on the next call',
    async (role, { connection, api }) => {
      expect((await api('GET', '/me')).status).toBe(200);
      await setRole(connection, role);
      for (const path of ['/me', '/users', '/teams']) {
        const { status, body } = await api('GET', path);
        expect([status, body]).toEqual([403, { message: NOT_ALLOWED }]);
      }
      expect(await db().connection.findUnique({ where: { id: connection.id } })).toMatchObject({
        endedAt: null,
      });
      await setRole(connection, 'admin');
      expect((await api('GET', '/me')).status).toBe(200);
    },
  );

  test('a removed teammate is refused on the next call, even with a role in another workspace', async ({
    connection,
    getMe,
  }) => {
    await makeConnection({ teammate: connection.teammate });
    await db().member.delete({ where: key(connection) });
    expect(await callMe(getMe, connection.accessToken)).toEqual([401, { message: LEFT }]);
  });

  test('an access token expires after two hours', async ({ connection, getMe }) => {
    const { id, accessToken } = connection;
    await db().$executeRaw`
      update access_tokens set expires_at = now() + interval '1 minute' where connection_id = ${id}::uuid`;
    expect((await callMe(getMe, accessToken))[0]).toBe(200);
    await db().$executeRaw`update access_tokens set expires_at = now() where connection_id = ${id}::uuid`;
    expect(await callMe(getMe, accessToken)).toEqual([401, { message: EXPIRED }]);
    await setRole(connection, 'agent');
    expect(await callMe(getMe, accessToken)).toEqual([401, { message: EXPIRED }]);
  });

  test('an attacker cannot call with a refresh token, a code, or a modified token', async ({ getMe }) => {
    const { accessToken, refreshToken, workspaceId, teammate } = await makeConnection();
    const code = await makeCode(workspaceId, teammate);
    const wrong = [
      refreshToken,
      code,
      accessToken.slice(0, -1),
      `${accessToken}A`,
      accessToken.toLowerCase(),
    ];
    for (const token of [...wrong, accessToken.slice('kza_'.length), 'x']) {
      expect(await callMe(getMe, token)).toEqual([401, { message: EXPIRED }]);
    }
  });

  test('a teammate with an emptied name can still call', async ({ getMe }) => {
    const { accessToken, teammate } = await makeConnection();
    await db().user.update({ where: { id: teammate.id }, data: { name: '' } });
    expect((await callMe(getMe, accessToken))[0]).toBe(200);
  });
});

test.for([
  { kind: 'an access token', name: 'find-callers', find: (token: string) => findCallers([token]) },
  { kind: 'an API token', name: 'find-programs', find: findProgram },
])(
  'PostgreSQL plans the look-up of $kind five times, and then keeps the plan',
  async ({ name, find }, { service: _ }) => {
    for (let n = 0; n < 9; n += 1) await find(newToken({ isTest: false }));
    const { rows } = await pool().query(
      'select custom_plans::int as planned from pg_prepared_statements where name = $1',
      [name],
    );
    expect(rows).toEqual([{ planned: 5 }]);
  },
);

describe('docs/rulings.md 4.13: the time of a connection’s last use', () => {
  test('is written at the first call, and then at most once a minute', async ({ getMe }) => {
    const { id, accessToken } = await makeConnection();
    expect(await lastUsed(id)).toBeUndefined();
    await callMe(getMe, accessToken);
    const first = await lastUsed(id);
    expect(first).toBeDefined();
    for (let i = 0; i < 3; i += 1) await callMe(getMe, accessToken);
    expect(await lastUsed(id)).toBe(first);

    await db().$executeRaw`
      update connections set last_used_at = now() - interval '50 seconds' where id = ${id}::uuid`;
    const almost = await lastUsed(id);
    await callMe(getMe, accessToken);
    expect(await lastUsed(id)).toBe(almost);
    await db().$executeRaw`
      update connections set last_used_at = now() - interval '65 seconds' where id = ${id}::uuid`;
    const old = await lastUsed(id);
    await callMe(getMe, accessToken);
    expect(await lastUsed(id)).toBeGreaterThan(Number(old) + 60_000);
  });

  test('is not updated by refused calls', async ({ connection, getMe }) => {
    await setRole(connection, 'agent');
    expect((await callMe(getMe, connection.accessToken))[0]).toBe(403);
    await db().member.delete({ where: key(connection) });
    expect((await callMe(getMe, connection.accessToken))[0]).toBe(401);
    expect(await lastUsed(connection.id)).toBeUndefined();
  });
});

type Member = { workspaceId: string; teammate: { id: string } };
const key = ({ workspaceId, teammate }: Member) => ({
  workspaceId_userId: { workspaceId, userId: teammate.id },
});
const setRole = (member: Member, role: Role) => db().member.update({ where: key(member), data: { role } });
const lastUsed = async (id: string) =>
  (await db().connection.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();

const EXPIRED = 'The connection has expired, reconnect.';
const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';
const NOT_ALLOWED = 'The connecting teammate needs to be an owner or admin of the workspace.';

async function callMe(getMe: GetMe, accessToken: string) {
  const { status, body } = await getMe(accessToken);
  return [status, body];
}
