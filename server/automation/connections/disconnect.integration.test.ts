import { describe, expect } from 'vitest';
import { disconnect } from '#server/automation/connections/end-connection.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { screensFor } from '#server/screens/router.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/platform-test.ts';
import { PLATFORM, type TestService } from '#test/fixtures/service.ts';

describe('docs/spec.md §1: owners and admins may disconnect', () => {
  test.for(['owner', 'admin'] as const)(
    'an %s ends a colleague’s connection permanently',
    async (role, { service, platform, apiOf }) => {
      const { id, workspaceId, accessToken, refreshToken } = await makeConnection();
      const api = apiOf(accessToken);
      const target_url = `https://${PLATFORM.hooksHost}/1`;
      expect((await api('POST', '/hooks', { event: 'contact.created', target_url })).status).toBe(201);
      const { connections, teammate } = await screenOf(service, workspaceId, role);
      await connections.disconnect({ connectionId: id });

      const me = await api('GET', '/me');
      expect([me.status, me.body]).toEqual([
        401,
        { message: 'This workspace connection is no longer valid, reconnect.' },
      ]);
      expect((await platform.refresh(refreshToken)).body).toMatchObject({
        error: 'invalid_grant',
      });
      expect(await db().hook.findMany({ where: { connectionId: id } })).toMatchObject([
        { removalReason: 'disconnected' },
      ]);
      expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
      expect(
        await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } }),
      ).toMatchObject([
        {
          connectionId: id,
          userId: teammate.id,
          userName: 'Colin Colleague',
          data: { reason: 'disconnected' },
        },
      ]);
      expect(await connections.overview()).toMatchObject({ connections: [], slots: { used: 0 } });
    },
  );

  test('a second time changes nothing, and adds no entry to the audit log', async ({ service }) => {
    const { id, workspaceId, teammate } = await makeConnection();
    const { connections } = await screenOf(service, workspaceId, 'admin');
    await disconnect({ workspaceId, connectionId: id, by: teammate });
    await connections.disconnect({ connectionId: id });
    const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } });
    expect(entries).toMatchObject([{ userId: teammate.id }]);
  });
});

describe('an attacker cannot disconnect a connection', () => {
  test.for(['agent', 'viewer'] as const)('as %s of the workspace', async (role, { service }) => {
    const { id, workspaceId } = await makeConnection();
    const { connections } = await screenOf(service, workspaceId, role);
    await expect(connections.disconnect({ connectionId: id })).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
    expect(await connections.overview()).toMatchObject({ kind: 'not_allowed', role, ownConnections: 0 });
    expect(await endOf(id)).toBeNull();
  });

  test('as owner of another workspace, who only gets “not found”', async ({ service, getMe }) => {
    const { id, accessToken } = await makeConnection();
    const mallory = await makeConnection();
    const { connections } = await screenOf(service, mallory.workspaceId, 'owner');
    const wrongIds = [id, '01890000-0000-7000-8000-000000000000', 'no-uuid', ''];
    for (const connectionId of wrongIds) {
      await expect(connections.disconnect({ connectionId })).rejects.toMatchObject({ cause: NOT_FOUND });
    }
    expect(await endOf(id)).toBeNull();
    expect((await getMe(accessToken)).status).toBe(200);
    expect(await endOf(mallory.id)).toBeNull();
  });

  test('without a session', async () => {
    const { id } = await makeConnection();
    const { connections } = await screensFor(new Headers());
    await expect(connections.disconnect({ connectionId: id })).rejects.toMatchObject({
      cause: { refusal: 'forbidden' },
    });
    expect(await endOf(id)).toBeNull();
  });
});

async function screenOf(service: TestService, workspaceId: string, role: Role) {
  const teammate = await makeUser('Colin Colleague');
  await addMember(workspaceId, teammate.id, role);
  const cookie = await signInAs(service.url, teammate);
  return { teammate, connections: (await screensFor(new Headers({ cookie }))).connections };
}

const endOf = async (id: string) => (await db().connection.findUniqueOrThrow({ where: { id } })).endReason;
const NOT_FOUND = { refusal: 'not_found' };
