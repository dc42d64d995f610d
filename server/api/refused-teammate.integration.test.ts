import { describe, expect } from 'vitest';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { ConnectionEnd, Role } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('a teammate without access', () => {
  test('left the workspace: 401 with that reason, even after the token has expired', async ({
    service,
    connection,
  }) => {
    await db().member.delete({ where: membership(connection) });
    const body = { message: 'The connecting teammate is no longer in this workspace, reconnect.' };
    expect(await me(service.url, connection)).toMatchObject({ status: 401, body });
    await db().$executeRaw`
      update access_tokens set expires_at = now() where connection_id = ${connection.id}::uuid`;
    expect(await me(service.url, connection)).toMatchObject({ status: 401, body });
  });

  test('was deleted: 401 says that the connection is no longer valid', async ({ service, connection }) => {
    await end(connection, 'teammate_deleted');
    await db().user.delete({ where: { id: connection.teammate.id } });
    const body = { message: 'This workspace connection is no longer valid, reconnect.' };
    expect(await me(service.url, connection)).toMatchObject({ status: 401, body });
  });

  test('has no workspace left: 401 says that the connection is no longer valid', async ({
    service,
    connection,
  }) => {
    await end(connection, 'workspace_deleted');
    await db().workspace.delete({ where: { id: connection.workspaceId } });
    const body = { message: 'This workspace connection is no longer valid, reconnect.' };
    expect(await me(service.url, connection)).toMatchObject({ status: 401, body });
  });

  test('left one workspace only: the connection to the other still works', async ({ service }) => {
    const here = await makeConnection();
    const there = await makeConnection({ teammate: here.teammate });
    await db().member.delete({ where: membership(here) });
    expect((await me(service.url, here)).status).toBe(401);
    expect((await me(service.url, there)).status).toBe(200);
  });
});

describe('a teammate who is no longer owner or admin', () => {
  test.for(['agent', 'viewer'] as const)(
    'but %s gets 403 on every call, and calls still count against the limit',
    async (role, { connection, api }) => {
      await setRole(connection, role);
      let remaining = 300;
      for (const [method, path] of [
        ['GET', '/me'],
        ['GET', '/users'],
        ['GET', '/teams'],
        ['POST', '/hooks'],
        ['DELETE', '/hooks/1'],
        ['POST', '/conversations'],
      ] as const) {
        const response = await api(method, path);
        remaining -= 1;
        expect({ status: response.status, body: response.body }, path).toEqual({
          status: 403,
          body: { message: 'The connecting teammate needs to be an owner or admin of the workspace.' },
        });
        expect(response.headers.get('x-ratelimit-limit'), path).toBe('300');
        expect(response.headers.get('x-ratelimit-remaining'), path).toBe(String(remaining));
      }
    },
  );

  test('is refused regardless of their role in another workspace', async ({ service }) => {
    const here = await makeConnection();
    await makeConnection({ teammate: here.teammate });
    await setRole(here, 'agent');
    expect((await me(service.url, here)).status).toBe(403);
  });

  test('changes nothing with refused calls, and can call again after a promotion', async ({
    connection,
    api,
  }) => {
    const other = await makeUser('Bea Boss');
    await addMember(connection.workspaceId, other.id, 'owner');
    await setRole(connection, 'agent');
    const conversation = { to_email: 'ada@example.com', subject: 'Hi', content: 'Hello' };
    expect((await api('POST', '/conversations', conversation)).status).toBe(403);
    expect(await db().conversation.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
    await setRole(connection, 'admin');
    expect((await api('POST', '/conversations', conversation)).status).toBe(201);
  });
});

type Connected = Awaited<ReturnType<typeof makeConnection>>;
const me = (url: string, { accessToken }: Connected) => apiClient(url, accessToken)('GET', '/me');
const membership = ({ workspaceId, teammate }: Connected) => ({
  workspaceId_userId: { workspaceId, userId: teammate.id },
});

const setRole = (connection: Connected, role: Role) =>
  db().member.update({ where: membership(connection), data: { role } });
const end = ({ id }: Connected, reason: ConnectionEnd) =>
  inTransaction((tx) => endConnection(tx, { id, reason }));
