import { describe, expect } from 'vitest';
import { deleteAccount, removeAccount } from '#server/administration/accounts/delete-account.ts';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { operatorOf, operatorSelect } from '#server/automation/samples/list-samples.ts';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { PASSWORD, signInAs, trySignIn } from '#test/clients/sign-in.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { addTeammate, makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

describe('a deleted account', () => {
  test('loses its sessions, its sign-in and its workspaces', async ({ service }) => {
    const { whole, user } = await makeLeaver();
    const cookie = await signInAs(service.url, user);
    await deleteAccount({ user, sessionId: user.id, password: PASSWORD });
    expect(await (await screensFor(new Headers({ cookie }))).session.current()).toBeNull();
    expect((await trySignIn(service.url, { email: user.email, password: PASSWORD })).status).toBe(401);
    expect(await db().member.count({ where: { userId: user.id } })).toBe(0);
    expect(await db().account.count({ where: { userId: user.id } })).toBe(0);
    expect(
      await db().auditEntry.findFirst({
        where: { workspaceId: whole.workspaceId, kind: 'teammate_deleted' },
      }),
    ).toMatchObject({ userId: user.id, userName: user.name });
  });

  test('rulings 2.6: loses its connections in every workspace, and later API calls get the reason', async ({
    service,
  }) => {
    const { whole, user } = await makeLeaver();
    const second = await makeWorkspace();
    await addTeammate(second.id, 'owner');
    const elsewhere = await makeConnection({ workspaceId: second.id, teammate: user });
    await deleteAccount({ user, sessionId: user.id, password: PASSWORD });
    const refused = { status: 401, body: { message: NOT_VALID } };
    for (const token of [whole.accessToken, elsewhere.accessToken]) {
      expect(await apiClient(service.url, token)('GET', '/me')).toMatchObject(refused);
    }
    await removeAccount(user.id);
    expect(await db().user.count({ where: { id: user.id } })).toBe(0);
    for (const token of [whole.accessToken, elsewhere.accessToken]) {
      expect(await apiClient(service.url, token)('GET', '/me')).toMatchObject(refused);
    }
    expect(await db().connection.findUniqueOrThrow({ where: { id: whole.connectionId } })).toMatchObject({
      endReason: 'teammate_deleted',
      teammateName: user.name,
      teammateEmail: user.email,
    });
  });

  test('keeps its name on what it wrote, and its conversations become unassigned', async () => {
    const { whole, user } = await makeLeaver();
    await db().message.update({ where: { id: whole.messageId }, data: { authorName: user.name } });
    await db().note.updateMany({
      where: { workspaceId: whole.workspaceId },
      data: { authorId: user.id, authorName: user.name, authorKind: 'teammate' },
    });
    await deleteAccount({ user, sessionId: user.id, password: PASSWORD });
    for (let round = 0; round < 2; round += 1) {
      const written = { authorName: user.name };
      expect(await db().message.findUniqueOrThrow({ where: { id: whole.messageId } })).toMatchObject(written);
      expect(await db().note.findFirstOrThrow({ where: { workspaceId: whole.workspaceId } })).toMatchObject(
        written,
      );
      const run = await db().commandRun.findUniqueOrThrow({
        where: { id: whole.runId },
        select: operatorSelect,
      });
      expect(operatorOf(run)).toEqual({
        id: '00000000-0000-0000-0000-000000000000',
        name: 'O',
        email: 'o@o.test',
      });
      await removeAccount(user.id);
    }
    expect(await db().conversation.findUniqueOrThrow({ where: { id: whole.conversationId } })).toMatchObject({
      assigneeId: null,
    });
    expect(
      await db().timelineEntry.findFirst({
        where: { conversationId: whole.conversationId, kind: 'unassigned' },
      }),
    ).toMatchObject({ actorKind: 'automatic', data: { assigneeName: user.name } });
  });

  test('frees its address immediately, for a different user', async () => {
    const { user } = await makeLeaver();
    await deleteAccount({ user, sessionId: user.id, password: PASSWORD });
    const next = await db().user.create({ data: { name: 'Next', email: user.email } });
    expect(next.id).not.toBe(user.id);
  });

  test('is removed by a job that removes no other account and can run again', async () => {
    const { whole, user, other } = await makeLeaver();
    await deleteAccount({ user, sessionId: user.id, password: PASSWORD });
    expect(await queuedJobs()).toContainEqual({ task: 'remove-account', payload: { userId: user.id } });
    await removeAccount(other.id);
    for (let round = 0; round < 2; round += 1) await removeAccount(user.id);
    expect(await db().user.count({ where: { id: { in: [user.id, other.id] } } })).toBe(1);
    expect(await db().message.findUniqueOrThrow({ where: { id: whole.messageId } })).toMatchObject({
      authorId: null,
    });
  });
});

describe('deleting an account', () => {
  test('needs the password', async ({ service }) => {
    const { user } = await makeLeaver();
    for (const password of ['', 'a guess', PASSWORD.toUpperCase()]) {
      await expect(deleteAccount({ user, sessionId: user.id, password })).rejects.toMatchObject({
        refusal: 'invalid',
        errors: { password: ['The password is incorrect. Check it and try again.'] },
      });
    }
    expect((await trySignIn(service.url, { email: user.email, password: PASSWORD })).status).toBe(200);
  });

  test('is refused to the last owner of workspaces, names the workspaces and changes nothing', async ({
    service,
  }) => {
    const user = await makeUser();
    const names = ['Zebra', 'Acme', 'Shared'];
    const workspaces = await Promise.all(names.map((name) => makeWorkspace({ name })));
    for (const { id } of workspaces) await addMember(id, user.id, 'owner');
    await addTeammate(workspaces[2]?.id ?? '', 'owner');
    const { accessToken } = await makeConnection({ workspaceId: workspaces[0]?.id ?? '', teammate: user });
    await expect(deleteAccount({ user, sessionId: user.id, password: PASSWORD })).rejects.toMatchObject({
      refusal: 'invalid',
      message:
        'You are the last owner of Acme and Zebra. Make someone else an owner there or delete the workspace, then delete your account.',
    });
    expect(await db().member.count({ where: { userId: user.id } })).toBe(3);
    expect((await apiClient(service.url, accessToken)('GET', '/me')).status).toBe(200);
  });

  test('succeeds for one of two owners at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const teammates = await makeTeammates();
      const second = await addTeammate(teammates.workspaceId, 'owner');
      const outcomes = await Promise.allSettled(
        [teammates.owner, second].map((user) =>
          deleteAccount({ user, sessionId: user.id, password: PASSWORD }),
        ),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(LAST_OWNER);
      }
    }
  });

  test('succeeds for one of two when the other owner leaves at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { workspaceId, owner } = await makeTeammates();
      const second = await addTeammate(workspaceId, 'owner');
      const outcomes = await Promise.allSettled([
        deleteAccount({ user: owner, sessionId: owner.id, password: PASSWORD }),
        removeMember({ workspaceId, userId: second.id, by: second }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await db().member.count({ where: { workspaceId, role: 'owner' } })).toBe(1);
    }
  });

  test('works for a teammate without a workspace, and signs them out', async () => {
    const user = await makeUser();
    const screens = await signInTeammate(user);
    expect(await (await screens()).account.get()).toEqual({
      afterSolving: 'next',
      name: user.name,
      email: user.email,
      connections: 0,
      liveWorkflows: 0,
      workspaces: [],
      memberOf: [],
      lastOwnerOf: [],
      limit: null,
    });
    const { setCookies } = await (await screens()).account.delete({ password: PASSWORD });
    expect(setCookies.some((line) => /session_token=;.*Max-Age=0/.test(line))).toBe(true);
    expect(await (await screens()).session.current()).toBeNull();
    expect(await db().user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({
      email: `${user.id}@deleted.invalid`,
      deletedAt: expect.any(Date),
    });
  });

  test('is preceded by a screen that shows what will be disconnected and what prevents the deletion', async () => {
    const { workspaceId, teammate } = await makeConnection();
    const screens = await signInTeammate(teammate);
    expect(await (await screens()).account.get()).toMatchObject({
      connections: 1,
      liveWorkflows: 0,
      workspaces: [{ id: workspaceId, name: 'Acme', role: 'owner' }],
      lastOwnerOf: ['Acme'],
    });
  });
});

const NOT_VALID = 'This workspace connection is no longer valid, reconnect.';
const LAST_OWNER = { refusal: 'invalid', message: expect.stringContaining('You are the last owner of ') };

/** Creates a workspace with records, a connected owner who will leave, and a second owner. */
async function makeLeaver() {
  const whole = await makeWholeWorkspace();
  const other = await addTeammate(whole.workspaceId, 'owner');
  const user = await db().user.findUniqueOrThrow({ where: { id: whole.userId } });
  return { whole, other, user };
}
