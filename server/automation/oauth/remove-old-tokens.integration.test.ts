import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { removeOldTokens } from '#server/automation/oauth/remove-old-tokens.ts';
import { pool } from '#server/core/database/pools.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { tokensOf } from '#test/clients/token-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type GetMe, test } from '#test/fixtures/platform-test.ts';

describe('docs/rulings.md 2.6: tokens outlive their connection by 90 days', () => {
  test('until then a call gets the end reason, afterwards only that the connection has expired', async ({
    getMe,
  }) => {
    const { id, accessToken } = await makeConnection();
    await end(id);
    await age(id, 89);
    expect(await removeOldTokens()).toBe(0);
    expect(await bodyOf(getMe, accessToken)).toEqual({
      message: 'This workspace connection is no longer valid, reconnect.',
    });
    await age(id, 2);
    expect(await removeOldTokens()).toBe(2);
    expect(await counts(id)).toEqual({ access: 0, refresh: 0, codes: 1 });
    expect(await bodyOf(getMe, accessToken)).toEqual({ message: 'The connection has expired, reconnect.' });
  });

  test('replaced and expired access tokens are deleted, and the connection keeps working', async ({
    platform,
    getMe,
  }) => {
    const { id, refreshToken } = await makeConnection();
    for (let i = 0; i < 3; i += 1) await platform.refresh(refreshToken);
    await age(id, 91);
    expect(await removeOldTokens()).toBe(4);
    expect(await counts(id)).toEqual({ access: 0, refresh: 1, codes: 1 });
    const { access_token } = tokensOf(await platform.refresh(refreshToken));
    expect(await bodyOf(getMe, access_token)).toMatchObject({ id });
    expect(await removeOldTokens()).toBe(0);
  });

  test('an old token that was revoked recently stays', async () => {
    const { id } = await makeConnection();
    await age(id, 120);
    await end(id);
    expect(await removeOldTokens()).toBe(0);
    expect(await counts(id)).toEqual({ access: 1, refresh: 1, codes: 1 });
  });

  test('a used code stays as long as its connection, so that even a late reuse is detected', async () => {
    const { id } = await makeConnection();
    await age(id, 400);
    await db().$executeRaw`
      update authorization_codes set used_at = now() - interval '400 days' where connection_id = ${id}::uuid`;
    await removeOldTokens();
    expect((await counts(id)).codes).toBe(1);
  });

  test('more rows than one statement deletes are deleted too', async () => {
    const { id } = await makeConnection();
    await pool().query(
      `insert into access_tokens (token_hash, connection_id, expires_at)
       select sha256(n::text::bytea), $1, now() - interval '91 days' from generate_series(1, 12000) n`,
      [id],
    );
    expect(await removeOldTokens()).toBe(12_000);
    expect((await counts(id)).access).toBe(1);
  });
});

describe('connections of a deleted workspace', () => {
  test('are deleted after their tokens; connections of other workspaces stay in the list', async () => {
    const gone = await makeConnection();
    const kept = await makeConnection();
    await end(gone.id, 'workspace_deleted');
    await end(kept.id);
    await db().workspace.delete({ where: { id: gone.workspaceId } });
    await removeOldTokens();
    expect(await db().connection.count({ where: { id: gone.id } })).toBe(1);
    for (const { id } of [gone, kept]) await age(id, 91);
    await removeOldTokens();
    expect(await db().connection.count({ where: { id: gone.id } })).toBe(0);
    expect(await db().authorizationCode.count({ where: { connectionId: gone.id } })).toBe(0);
    expect(await db().connection.count({ where: { id: kept.id } })).toBe(1);
  });
});

async function age(id: string, days: number) {
  const earlier = (column: string) => `${column} = ${column} - make_interval(days => ${days})`;
  const columns = {
    access_tokens: ['created_at', 'expires_at'],
    refresh_tokens: ['revoked_at'],
  };
  for (const [table, names] of Object.entries(columns)) {
    await pool().query(`update ${table} set ${names.map(earlier).join(', ')} where connection_id = $1`, [id]);
  }
  const times = `array(select issued - make_interval(days => ${days}) from unnest(live_token_times) issued order by 1 desc)`;
  await pool().query(
    `update connections set ${earlier('ended_at')}, live_token_times = ${times} where id = $1`,
    [id],
  );
}

const end = (id: string, reason: 'disconnected' | 'workspace_deleted' = 'disconnected') =>
  inTransaction((tx) => endConnection(tx, { id, reason }));
const counts = async (connectionId: string) => ({
  access: await db().accessToken.count({ where: { connectionId } }),
  refresh: await db().refreshToken.count({ where: { connectionId } }),
  codes: await db().authorizationCode.count({ where: { connectionId } }),
});
const bodyOf = async (getMe: GetMe, accessToken: string) => (await getMe(accessToken)).body;
