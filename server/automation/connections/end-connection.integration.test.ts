import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { ConnectionEnd, HookRemoval } from '#server/generated/prisma/enums.ts';
import { makeCode, makeConnection } from '#test/fixtures/factories.ts';
import { type ApiOf, test } from '#test/fixtures/platform-test.ts';
import { PLATFORM } from '#test/fixtures/service.ts';

describe('docs/spec.md §3: the end of a connection', () => {
  test.for(exchangedEnds())(
    '%s: tokens stop working, and later calls get the reason',
    async ([reason, { message }], { platform, getMe }) => {
      const { id, accessToken, refreshToken } = await makeConnection();
      expect(await end(id, reason)).toBe(true);
      const me = await getMe(accessToken);
      expect([me.status, me.body]).toEqual([401, { message }]);
      const refreshed = await platform.refresh(refreshToken);
      expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
      expect(await db().refreshToken.count({ where: { connectionId: id, revokedAt: null } })).toBe(0);
    },
  );

  test.for(exchangedEnds())(
    '%s: hooks are removed with the reason; hooks removed earlier keep theirs',
    async ([reason, { hooks }], { apiOf }) => {
      const { id, accessToken } = await makeConnection();
      const api = await subscribe(apiOf, accessToken, 2);
      const [first] = await db().hook.findMany({ where: { connectionId: id } });
      await api('DELETE', `/hooks/${first?.id}`);
      await end(id, reason);
      const removed = await db().hook.findMany({ where: { connectionId: id } });
      const reasons = removed.map((hook) => [hook.id === first?.id, hook.removalReason]);
      expect(reasons).toContainEqual([true, 'unsubscribed']);
      expect(reasons).toContainEqual([false, hooks]);
    },
  );

  test.for(exchangedEnds())(
    '%s: only the end of the last connection frees the slot',
    async ([reason], { apiOf }) => {
      const first = await makeConnection();
      const { workspaceId, teammate } = first;
      const second = await makeConnection({ workspaceId, teammate });
      const secondApi = await subscribe(apiOf, second.accessToken, 1);
      await end(first.id, reason);
      expect(await used(workspaceId)).toBe(1);
      expect((await secondApi('GET', '/me')).status).toBe(200);
      expect(await db().hook.count({ where: { connectionId: second.id, removedAt: null } })).toBe(1);
      await end(second.id, reason);
      expect(await used(workspaceId)).toBe(0);
    },
  );

  test.each(exchangedEnds())('%s: is recorded once, and the first reason stays', async (reason) => {
    const { id, workspaceId } = await makeConnection();
    expect(await end(id, reason)).toBe(true);
    for (const [later] of ends()) expect(await end(id, later)).toBe(false);
    expect((await db().connection.findUniqueOrThrow({ where: { id } })).endReason).toBe(reason);
    const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } });
    expect(entries).toMatchObject([{ connectionId: id, userId: null, data: { reason } }]);
  });

  test('the slot of another kind of integration stays', async () => {
    const { id, workspaceId } = await makeConnection();
    await db().integration.create({ data: { workspaceId, kind: 'shop', name: 'Shop' } });
    await end(id, 'disconnected');
    expect(await db().integration.findMany({ where: { workspaceId } })).toMatchObject([{ kind: 'shop' }]);
  });

  test('a connection waiting for its code exchange also holds the slot', async ({ platform }) => {
    const { id, workspaceId, teammate } = await makeConnection();
    const code = await makeCode(workspaceId, teammate);
    await end(id, 'disconnected');
    expect(await used(workspaceId)).toBe(1);
    expect((await platform.exchange(code)).status).toBe(200);
  });

  test('ending an unknown connection changes nothing', async () => {
    expect(await end('01890000-0000-7000-8000-000000000000', 'disconnected')).toBe(false);
  });
});

const end = (id: string, reason: ConnectionEnd) => inTransaction((tx) => endConnection(tx, { id, reason }));
const used = (workspaceId: string) => db().integration.count({ where: { workspaceId } });

async function subscribe(apiOf: ApiOf, accessToken: string, count: number) {
  const api = apiOf(accessToken);
  for (let i = 0; i < count; i += 1) {
    const target_url = `https://${PLATFORM.hooksHost}/${i}`;
    expect((await api('POST', '/hooks', { event: 'contact.created', target_url })).status).toBe(201);
  }
  return api;
}

type End = { message: string; hooks: HookRemoval };

/** Returns the ends of a connection, each with the message of later calls and the reason of its hooks. */
function ends() {
  const EXPIRED = 'The connection has expired, reconnect.';
  const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';
  const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';
  const all: Record<ConnectionEnd, End> = {
    disconnected: { message: NOT_VALID, hooks: 'disconnected' },
    teammate_left: { message: LEFT, hooks: 'teammate_left' },
    teammate_deleted: { message: NOT_VALID, hooks: 'teammate_left' },
    workspace_deleted: { message: NOT_VALID, hooks: 'disconnected' },
    not_allowed: { message: NOT_VALID, hooks: 'not_allowed' },
    revoked_by_platform: { message: EXPIRED, hooks: 'revoked_by_platform' },
    code_reused: { message: EXPIRED, hooks: 'revoked_by_platform' },
    never_exchanged: { message: EXPIRED, hooks: 'revoked_by_platform' },
  };
  return Object.entries(all) as [ConnectionEnd, End][];
}

function exchangedEnds() {
  return ends().filter(([reason]) => reason !== 'never_exchanged');
}
