import { describe, expect } from 'vitest';
import { deleteWorkspace, removeWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import { db } from '#server/core/database/prisma.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { tokenClient } from '#test/clients/token-client.ts';
import { fillWorkspace } from '#test/database/large-workspace.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { addMember, makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';
import { addTeammate, makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

describe('a deleted workspace', () => {
  test("cannot be opened from then on, and its members' sessions open another workspace", async ({
    service,
  }) => {
    const { workspaceId, owner } = await makeDoomed();
    const other = await makeWorkspace({ name: 'Other' });
    const agent = await addTeammate(workspaceId, 'agent');
    await addMember(other.id, agent.id, 'agent');
    const cookies = [await signInAs(service.url, owner), await signInAs(service.url, agent)];
    await remove(workspaceId, owner);
    const open = await Promise.all(
      cookies.map(async (cookie) => await findSignedIn(new Headers({ cookie }))),
    );
    expect(open).toMatchObject([
      { workspace: null, workspaces: [] },
      { workspace: { name: 'Other' }, workspaces: [{ name: 'Other' }] },
    ]);
    const sessions = await db().session.findMany({ where: { userId: { in: [owner.id, agent.id] } } });
    expect(sessions.map((session) => session.workspaceId).sort()).toEqual([other.id, null].sort());
    expect(await findSignedIn(new Headers({ cookie: await signInAs(service.url, owner) }))).toMatchObject({
      workspace: null,
    });
  });

  test('rulings 2.6: loses its connections, and later calls get the reason before and after its rows are removed', async ({
    service,
  }) => {
    const { workspaceId, owner, accessToken, connectionId, hookId } = await makeDoomed();
    const second = await makeConnection({ workspaceId });
    await remove(workspaceId, owner);
    const late = async () => {
      for (const token of [accessToken, second.accessToken]) {
        expect(await apiClient(service.url, token)('GET', '/me')).toMatchObject(NOT_VALID);
      }
      expect((await tokenClient(service.url).refresh(second.refreshToken)).status).toBe(400);
    };
    await late();
    expect(await db().hook.findUniqueOrThrow({ where: { id: hookId } })).toMatchObject({
      removalReason: 'disconnected',
    });
    await removeWorkspace(workspaceId);
    await late();
    expect(await db().connection.findUniqueOrThrow({ where: { id: connectionId } })).toMatchObject({
      workspaceId: null,
      endReason: 'workspace_deleted',
    });
  });

  test('is removed by a job with everything in it, and other workspaces stay unchanged', async () => {
    const [{ workspaceId, owner, deliveryId, messageId }, neighbour] = [
      await makeDoomed(),
      await makeWholeWorkspace(),
    ];
    const before = await rowsOfWorkspace(neighbour.workspaceId);
    await forgetJobs();
    await remove(workspaceId, owner);
    expect(await queuedJobs()).toContainEqual({ task: 'remove-workspace', payload: { workspaceId } });
    for (let round = 0; round < 2; round += 1) await removeWorkspace(workspaceId);
    await removeWorkspace(neighbour.workspaceId);
    expect(Object.values(await rowsOfWorkspace(workspaceId)).join('')).toBe('');
    expect(await db().workspace.count({ where: { id: workspaceId } })).toBe(0);
    expect(await db().attempt.count({ where: { deliveryId } })).toBe(0);
    expect(await db().message.count({ where: { id: messageId } })).toBe(0);
    expect(await db().user.count({ where: { id: owner.id } })).toBe(1);
    expect(await rowsOfWorkspace(neighbour.workspaceId)).toEqual(before);
    const entry = await db().auditEntry.findFirst({
      where: { kind: 'workspace_deleted', userId: owner.id },
    });
    expect(entry).toMatchObject({ workspaceId: null, userName: owner.name, data: { name: 'Acme' } });
  });

  test('leaves entries of the audit log without the names and addresses of its contacts', async () => {
    const { workspaceId, owner } = await makeDoomed();
    const contactId = crypto.randomUUID();
    const sender = 'ada@acme.test';
    const entries = await db().auditEntry.createManyAndReturn({
      data: [
        { workspaceId, kind: 'contact_exported', data: { contactId, contactName: 'Ada Lovelace' } },
        { workspaceId, kind: 'sender_blocked', data: { sender, value: sender } },
        { workspaceId, kind: 'team_created', data: { teamName: 'Returns' } },
      ],
      select: { id: true },
    });
    await remove(workspaceId, owner);
    await removeWorkspace(workspaceId);
    const left = await db().auditEntry.findMany({
      where: { id: { in: entries.map(({ id }) => id) } },
      orderBy: { kind: 'asc' },
    });
    expect(left.map(({ data }) => data)).toEqual([
      { contactId, contactName: '(erased)' },
      { sender: '(erased)' },
      { teamName: 'Returns' },
    ]);
  });

  test('frees its addresses immediately, sends nothing more and accepts no invitation', async () => {
    const { workspaceId, owner, messageId } = await makeDoomed();
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
    await db().message.update({ where: { id: messageId }, data: { sendStatus: 'queued' } });
    await db().invitation.create({
      data: { workspaceId, email: 'a@b.test', role: 'agent', expiresAt: new Date(Date.now() + 1e6) },
    });
    await remove(workspaceId, owner);
    const other = await makeWorkspace();
    await db().mailbox.create({ data: { workspaceId: other.id, address, name: 'Ours now' } });
    expect(await db().message.findUniqueOrThrow({ where: { id: messageId } })).toMatchObject({
      sendStatus: 'failed',
      deliveryError: 'The workspace was deleted before the message was sent.',
    });
    expect(await db().invitation.count({ where: { workspaceId, withdrawnAt: null } })).toBe(0);
  });

  test('cannot be connected again: a simultaneous approval is refused or disconnected', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { workspaceId, owner, admin } = await makeTeammates();
      await Promise.all([
        ...[owner, admin].map((teammate) =>
          approve({ workspaceId, teammate, request: { state: undefined, challenge: undefined } }),
        ),
        remove(workspaceId, owner),
      ]);
      expect(await db().connection.count({ where: { workspaceId, endedAt: null } })).toBe(0);
      const late = { workspaceId, teammate: owner, request: { state: undefined, challenge: undefined } };
      expect((await approve(late)).kind).toBe('not_allowed');
    }
  });
});

describe('a workspace with many rows', () => {
  test('is deleted immediately and removed in batches, and is never partly visible', async ({ service }) => {
    const { workspaceId, owner, agent } = await makeTeammates();
    const team = await db().team.create({ data: { workspaceId, name: 'Support' } });
    await fillWorkspace(
      { workspaceId, userId: agent.id, teamId: team.id },
      { contacts: 80, conversations: 300 },
    );
    const cookie = await signInAs(service.url, owner);
    await remove(workspaceId, owner);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(300);
    expect(await findSignedIn(new Headers({ cookie }))).toMatchObject({ workspaces: [] });
    await forgetJobs();
    let jobs = 0;
    while ((await db().workspace.count({ where: { id: workspaceId } })) > 0) {
      await removeWorkspace(workspaceId, 10);
      const again = await queuedJobs();
      await forgetJobs();
      if (again.length === 0) break;
      expect(again).toEqual([{ task: 'remove-workspace', payload: { workspaceId } }]);
      jobs += 1;
    }
    expect(jobs).toBeGreaterThan(0);
    expect(Object.values(await rowsOfWorkspace(workspaceId)).join('')).toBe('');
    expect(await db().workspace.count({ where: { id: workspaceId } })).toBe(0);
  });
});

describe('deleting a workspace', () => {
  test('needs its name exactly as it is written', async () => {
    const { workspaceId, owner } = await makeTeammates({ name: 'Acme Ltd' });
    for (const typed of ['', 'acme ltd', 'Acme', 'Acme  Ltd']) {
      await expect(remove(workspaceId, owner, typed)).rejects.toMatchObject({
        errors: { name: ['Type the workspace name exactly as it is written: Acme Ltd'] },
      });
    }
    expect((await db().workspace.findUniqueOrThrow({ where: { id: workspaceId } })).deletedAt).toBeNull();
    await remove(workspaceId, owner, ' Acme Ltd ');
  });

  test('is only for owners, and happens once', async () => {
    const { workspaceId, owner, admin, agent, viewer } = await makeTeammates();
    const strangers = await makeTeammates();
    const FORBIDDEN = { refusal: 'forbidden', message: 'Only an owner of the workspace can do this.' };
    for (const by of [admin, agent, viewer, strangers.owner]) {
      await expect(remove(workspaceId, by)).rejects.toMatchObject(FORBIDDEN);
    }
    await remove(workspaceId, owner);
    await expect(remove(workspaceId, owner)).rejects.toMatchObject(FORBIDDEN);
  });

  test('is preceded by a screen that shows what will be lost, and counts up to 999 conversations', async () => {
    const { workspaceId, owner } = await makeDoomed();
    const { workspaces } = await (await signInTeammate(owner))();
    const conversations = await db().conversation.count({ where: { workspaceId } });
    expect(await workspaces.deletion()).toEqual({
      name: 'Acme',
      testName: null,
      teammates: 1,
      connections: 1,
      liveWorkflows: 1,
      conversations: { count: conversations, more: false },
    });
    const many = Array.from({ length: 999 }, () => ({ workspaceId, channel: 'email' as const }));
    await db().conversation.createMany({ data: many });
    expect((await workspaces.deletion()).conversations).toEqual({ count: 999, more: true });
    await workspaces.delete({ name: 'Acme' });
    expect(await db().workspace.findUniqueOrThrow({ where: { id: workspaceId } })).toMatchObject({
      deletedAt: expect.any(Date),
    });
  });

  test('removes nothing of a workspace that was not deleted', async () => {
    const { workspaceId } = await makeDoomed();
    const before = await rowsOfWorkspace(workspaceId);
    await removeWorkspace(workspaceId);
    expect(await rowsOfWorkspace(workspaceId)).toEqual(before);
  });
});

const NOT_VALID = {
  status: 401,
  body: { message: 'This workspace connection is no longer valid, reconnect.' },
};

/** Creates a workspace with records and its connected owner. */
async function makeDoomed() {
  const whole = await makeWholeWorkspace();
  const { id, name, email } = await db().user.findUniqueOrThrow({ where: { id: whole.userId } });
  return { ...whole, owner: { id, name, email } };
}

const remove = (workspaceId: string, by: Awaited<ReturnType<typeof makeDoomed>>['owner'], name = 'Acme') =>
  deleteWorkspace({ workspaceId, name, by });
