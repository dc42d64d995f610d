import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';

describe('GET /me', () => {
  test('returns the connection record and nothing else', async ({ service }) => {
    const workspace = await makeWorkspace({ name: 'Acme & Söhne' });
    const connection = await makeConnection({ workspaceId: workspace.id });
    const response = await apiClient(service.url, connection.accessToken)('GET', '/me');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: connection.id,
      user_id: connection.teammate.id,
      user_name: connection.teammate.name,
      email: connection.teammate.email,
      workspace_id: workspace.id,
      workspace_name: 'Acme & Söhne',
    });
  });

  test('returns the workspace that was connected, whichever one the teammate has open', async ({
    service,
  }) => {
    const first = await makeConnection();
    const second = await makeConnection({ teammate: first.teammate });
    await db().user.update({
      where: { id: first.teammate.id },
      data: { lastWorkspaceId: second.workspaceId },
    });
    for (const { id, workspaceId, accessToken } of [first, second]) {
      const { body } = await apiClient(service.url, accessToken)('GET', '/me');
      expect(body).toMatchObject({ id, workspace_id: workspaceId, user_id: first.teammate.id });
    }
  });

  test('returns a new name of teammate and workspace immediately', async ({ connection, api }) => {
    await db().user.update({ where: { id: connection.teammate.id }, data: { name: 'Olivia Oak' } });
    await db().workspace.update({ where: { id: connection.workspaceId }, data: { name: '' } });
    const { status, body } = await api('GET', '/me');
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_name: 'Olivia Oak', workspace_name: '' });
  });

  test('records when the connection was used, at most once a minute', async ({ connection, api }) => {
    const lastUsed = async () =>
      (await db().connection.findUniqueOrThrow({ where: { id: connection.id } })).lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await api('GET', '/me');
    const first = await lastUsed();
    expect(first).toBeInstanceOf(Date);
    await api('GET', '/me');
    expect(await lastUsed()).toEqual(first);
    await db().$executeRaw`update connections set last_used_at = last_used_at - interval '61 seconds'`;
    await api('GET', '/me');
    expect(Number(await lastUsed())).toBeGreaterThanOrEqual(Number(first));
  });
});

describe('GET /users', () => {
  test('lists owners, admins and agents by name, no viewers and no one of another workspace', async ({
    service,
  }) => {
    const connection = await makeConnection({ teammate: await makeUser('Nora Owner') });
    const made = [connection.teammate];
    for (const [name, role] of [
      ['Zoe Agent', 'agent'],
      ['Adam Admin', 'admin'],
      ['Vera Viewer', 'viewer'],
      ['Bert Owner', 'owner'],
    ] as const) {
      const user = await makeUser(name);
      await addMember(connection.workspaceId, user.id, role);
      made.push(user);
    }
    await makeConnection({ teammate: await makeUser('Carl Stranger') });

    const { status, body } = await apiClient(service.url, connection.accessToken)('GET', '/users');
    expect(status).toBe(200);
    const member = (name: string, role: string) => ({ ...made.find((user) => user.name === name), role });
    expect(body).toEqual([
      member('Adam Admin', 'admin'),
      member('Bert Owner', 'owner'),
      member('Nora Owner', 'owner'),
      member('Zoe Agent', 'agent'),
    ]);
    expect(Object.keys((body as object[])[0] ?? {}).toSorted()).toEqual(['email', 'id', 'name', 'role']);
  });
});

describe('GET /teams', () => {
  test('lists the teams by name with id and name, none of another workspace', async ({
    service,
    connection,
  }) => {
    const other = await makeConnection();
    const team = (workspaceId: string, name: string) =>
      db().team.create({ data: { workspaceId, name }, select: { id: true, name: true } });
    const support = await team(connection.workspaceId, 'Support');
    const billing = await team(connection.workspaceId, 'Billing');
    const abroad = await team(other.workspaceId, 'Abroad');

    const list = (accessToken: string) => apiClient(service.url, accessToken)('GET', '/teams');
    expect(await list(connection.accessToken)).toMatchObject({ status: 200, body: [billing, support] });
    expect(await list(other.accessToken)).toMatchObject({ status: 200, body: [abroad] });
  });

  test('returns an empty list if there are none', async ({ api }) => {
    const { status, body } = await api('GET', '/teams');
    expect({ status, body }).toEqual({ status: 200, body: [] });
  });
});

test('unknown and repeated query parameters change nothing', async ({ api }) => {
  const plain = await api('GET', '/users');
  const noisy = await api('GET', '/users?role=viewer&id=1&id=2&__proto__=x&%zz=%zz&&=');
  expect({ status: noisy.status, body: noisy.body }).toEqual({ status: 200, body: plain.body });
});
