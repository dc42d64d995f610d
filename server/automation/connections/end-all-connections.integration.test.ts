import { describe, expect } from 'vitest';
import {
  endConnectionsOf,
  endConnectionsOfWorkspace,
} from '#server/automation/connections/end-all-connections.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { tokensOf } from '#test/clients/token-client.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeCode, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { type GetMe, test } from '#test/fixtures/platform-test.ts';
import { until } from '#test/fixtures/until.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

describe('docs/spec.md §1, §3: a teammate who leaves or is removed', () => {
  test('ends all their connections to that workspace: tokens, hooks and slot, and later calls get the reason', async ({
    platform,
    getMe,
  }) => {
    const first = await makeConnection();
    const { workspaceId, teammate } = first;
    const second = await makeConnection({ workspaceId, teammate });
    const hook = await makeHook(first);
    const code = await makeCode(workspaceId, teammate);
    expect(await leave({ workspaceId, userId: teammate.id })).toBe(3);

    for (const { accessToken, refreshToken } of [first, second]) {
      expect(await callMe(getMe, accessToken)).toEqual([401, { message: LEFT }]);
      const refreshed = await platform.refresh(refreshToken);
      expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
    }
    expect((await platform.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({
      removedAt: expect.any(Date),
      removalReason: 'teammate_left',
    });
    expect(await used(workspaceId)).toBe(0);
    const ended = { workspaceId, kind: 'connection_ended' };
    expect(await db().auditEntry.count({ where: ended })).toBe(3);
  });

  test('removed by a colleague: the audit log names the colleague', async () => {
    const { workspaceId, teammate } = await makeConnection();
    const by = await makeUser('Bea Boss');
    await inTransaction((tx) =>
      endConnectionsOf(tx, { workspaceId, userId: teammate.id, by }, 'teammate_left'),
    );
    expect(
      await db().auditEntry.findMany({ where: { workspaceId, kind: 'connection_ended' } }),
    ).toMatchObject([{ userId: by.id, userName: 'Bea Boss', data: { reason: 'teammate_left' } }]);
  });

  test('does not affect colleagues’ connections, their shared slot, or the teammate’s other workspaces', async ({
    getMe,
  }) => {
    const here = await makeConnection();
    const { workspaceId, teammate } = here;
    const there = await makeConnection({ teammate });
    const colleague = await makeConnection({ workspaceId, teammate: await makeUser('Colin') });
    expect(await leave({ workspaceId, userId: teammate.id })).toBe(1);
    expect((await callMe(getMe, there.accessToken))[0]).toBe(200);
    expect((await callMe(getMe, colleague.accessToken))[0]).toBe(200);
    expect(await used(workspaceId)).toBe(1);
    expect((await callMe(getMe, here.accessToken))[0]).toBe(401);
  });

  test('leaves their messages', async ({ getMe }) => {
    const { workspaceId, userId, accessToken, conversationId, messageId } = await makeWholeWorkspace();
    await leave({ workspaceId, userId });
    expect(await db().conversation.count({ where: { id: conversationId } })).toBe(1);
    expect(await db().message.findUnique({ where: { id: messageId } })).toMatchObject({
      authorId: userId,
      content: 'Hello',
    });
    expect(await callMe(getMe, accessToken)).toEqual([401, { message: LEFT }]);
  });

  test('ends nothing when the transaction rolls back', async ({ getMe }) => {
    const { workspaceId, teammate, accessToken } = await makeConnection();
    const undone = inTransaction(async (tx) => {
      await endConnectionsOf(tx, { workspaceId, userId: teammate.id }, 'teammate_left');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await callMe(getMe, accessToken))[0]).toBe(200);
  });

  test('without a connection ends nothing', async () => {
    const { workspaceId } = await makeConnection();
    const colleague = await makeUser();
    await addMember(workspaceId, colleague.id, 'agent');
    expect(await leave({ workspaceId, userId: colleague.id })).toBe(0);
    expect(await used(workspaceId)).toBe(1);
  });
});

describe('docs/spec.md §5: a teammate who is deleted', () => {
  test('ends their connections in every workspace; their messages stay, and later calls get the reason', async ({
    getMe,
  }) => {
    const here = await makeWholeWorkspace();
    const user = await db().user.findUniqueOrThrow({ where: { id: here.userId } });
    const teammate = { id: user.id, name: user.name, email: user.email };
    const there = await makeConnection({ teammate });
    expect(await deleteUser(user.id)).toBe(2);
    for (const { accessToken } of [here, there]) {
      expect(await callMe(getMe, accessToken)).toEqual([401, { message: NOT_VALID }]);
    }
    for (const { workspaceId } of [here, there]) expect(await used(workspaceId)).toBe(0);
    expect(await db().conversation.count({ where: { id: here.conversationId } })).toBe(1);
    expect(await db().message.count({ where: { id: here.messageId } })).toBe(1);
    expect(await db().connection.findUniqueOrThrow({ where: { id: there.id } })).toMatchObject({
      userId: null,
      teammateName: user.name,
      endReason: 'teammate_deleted',
    });
  });
});

describe('concurrently', () => {
  test('with an approval: the approval is refused, or its connection ends too', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { workspaceId, teammate } = await makeConnection();
      const request = { state: undefined, challenge: undefined };
      const [approval] = await Promise.all([
        approve({ workspaceId, teammate, request }),
        leave({ workspaceId, userId: teammate.id }),
      ]);
      expect(['approved', 'not_allowed']).toContain(approval.kind);
      expect(await db().connection.count({ where: { workspaceId, endedAt: null } })).toBe(0);
      expect(await used(workspaceId)).toBe(0);
    }
  });

  test('with an approval in another workspace: a deleted teammate leaves no connection behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { teammate } = await makeConnection();
      const other = await makeConnection();
      await addMember(other.workspaceId, teammate.id, 'admin');
      const request = { state: undefined, challenge: undefined };
      const [approval] = await Promise.allSettled([
        approve({ workspaceId: other.workspaceId, teammate, request }),
        deleteUser(teammate.id),
      ]);
      expect(approval.status).toBe('fulfilled');
      expect(await db().user.count({ where: { id: teammate.id } })).toBe(0);
      const theirs = { workspaceId: other.workspaceId, endedAt: null };
      expect(await db().connection.count({ where: theirs })).toBe(1);
    }
  });

  test('with a refresh: no token works afterwards', async ({ platform, getMe }) => {
    for (let round = 0; round < 5; round += 1) {
      const { workspaceId, teammate, refreshToken } = await makeConnection();
      const [response] = await Promise.all([
        platform.refresh(refreshToken),
        leave({ workspaceId, userId: teammate.id }),
      ]);
      expect([200, 400]).toContain(response.status);
      if (response.status === 200) {
        const me = await getMe(tokensOf(response).access_token);
        expect(me.status).toBe(401);
      }
      const live = { connection: { workspaceId }, revokedAt: null };
      expect(await db().refreshToken.count({ where: live })).toBe(0);
    }
  });

  test('two teammates with connections to each other’s workspaces can be deleted without a deadlock', async () => {
    const [one, two] = [await makeConnection(), await makeConnection()];
    await makeConnection({ workspaceId: one.workspaceId, teammate: two.teammate });
    await makeConnection({ workspaceId: two.workspaceId, teammate: one.teammate });
    const both = inTransaction(async (tx) => {
      await tx.$executeRaw`select from workspaces for no key update`;
      const deletions = [deleteUser(one.teammate.id), deleteUser(two.teammate.id)];
      await until('both deletions wait', async () => (await countLockWaiters()) === 2);
      return { deletions };
    });
    const { deletions } = await both;
    expect(await Promise.all(deletions)).toEqual([2, 2]);
    expect([await used(one.workspaceId), await used(two.workspaceId)]).toEqual([0, 0]);
  });
});

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

test('hooks are removed and the slot is freed before the workspace is deleted', async ({ connection }) => {
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

const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';
const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';

type Member = { workspaceId: string; userId: string };

const membership = (workspaceId_userId: Member) => ({ where: { workspaceId_userId } });

async function leave(member: Member, end = endConnectionsOf): Promise<number> {
  return inTransaction(async (tx) => {
    const ended = await end(tx, member, 'teammate_left');
    await unassign(tx, member.userId);
    await tx.member.delete(membership(member));
    return ended;
  });
}

/** Unassigns a member, who could not be deleted otherwise. */
const unassign = (tx: Tx, assigneeId: string) =>
  tx.conversation.updateMany({ where: { assigneeId }, data: { assigneeId: null, assignedAt: null } });

const deleteUser = (userId: string) =>
  inTransaction(async (tx) => {
    const ended = await endConnectionsOf(tx, { userId }, 'teammate_deleted');
    await unassign(tx, userId);
    await tx.user.delete({ where: { id: userId } });
    return ended;
  });

async function callMe(getMe: GetMe, accessToken: string) {
  const { status, body } = await getMe(accessToken);
  return [status, body];
}

const used = (workspaceId: string) => db().integration.count({ where: { workspaceId } });

const deleteWorkspace = (id: string) =>
  inTransaction(async (tx) => {
    const ended = await endConnectionsOfWorkspace(tx, id);
    await tx.workspace.delete({ where: { id } });
    return ended;
  });
const statusOf = async (getMe: GetMe, accessToken: string) => (await getMe(accessToken)).status;
