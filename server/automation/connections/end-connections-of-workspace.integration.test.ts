import { expect } from 'vitest';
import { endConnectionsOfWorkspace } from '#server/automation/connections/end-all-connections.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeCode, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { type GetMe, test } from '#test/fixtures/platform-test.ts';

test('docs/spec.md §5: deleting a workspace ends every connection to it, and later calls get the reason', async ({
  platform,
  getMe,
}) => {
  const first = await makeConnection();
  const { workspaceId } = first;
  const second = await makeConnection({ workspaceId, teammate: await makeUser('Colin') });
  const code = await makeCode(workspaceId, first.teammate);
  const elsewhere = await makeConnection({ teammate: first.teammate });
  expect(await deleteWorkspace(workspaceId)).toBe(3);
  for (const { accessToken, refreshToken } of [first, second]) {
    const { status, body } = await getMe(accessToken);
    expect([status, body]).toEqual([401, { message: NOT_VALID }]);
    const refreshed = await platform.refresh(refreshToken);
    expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
  }
  expect((await platform.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
  expect(await statusOf(getMe, elsewhere.accessToken)).toBe(200);
});

test('hooks are removed and the slot is freed before the workspace is deleted', async () => {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  const { id } = await makeHook(connection);
  expect(await inTransaction((tx) => endConnectionsOfWorkspace(tx, workspaceId))).toBe(1);
  expect(await db().hook.findUnique({ where: { id } })).toMatchObject({ removalReason: 'disconnected' });
  expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
  expect(await inTransaction((tx) => endConnectionsOfWorkspace(tx, workspaceId))).toBe(0);
});

test('a concurrent approval is refused, or its connection ends with the workspace', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { workspaceId, teammate } = await makeConnection();
    const request = { state: undefined, challenge: undefined };
    const [approval] = await Promise.all([
      approve({ workspaceId, teammate, request }),
      deleteWorkspace(workspaceId),
    ]);
    expect(['approved', 'not_allowed']).toContain(approval.kind);
    expect(await db().workspace.count({ where: { id: workspaceId } })).toBe(0);
    expect(await db().connection.count({ where: { userId: teammate.id, endedAt: null } })).toBe(0);
  }
});

const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';

const deleteWorkspace = (id: string) =>
  inTransaction(async (tx) => {
    const ended = await endConnectionsOfWorkspace(tx, id);
    await tx.workspace.delete({ where: { id } });
    return ended;
  });

const statusOf = async (getMe: GetMe, accessToken: string) => (await getMe(accessToken)).status;
