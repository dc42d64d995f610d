import { describe, expect } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { addTeammate, makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

describe('a removed teammate', () => {
  test('leaves the workspace and its teams, and the audit log names who removed them', async ({
    teammates,
  }) => {
    const { workspaceId, owner, agent } = teammates;
    const team = await db().team.create({ data: { workspaceId, name: 'Support' } });
    await db().teamMember.create({ data: { workspaceId, teamId: team.id, userId: agent.id } });
    await remove(teammates, owner, agent);
    expect(await isMember(teammates, agent)).toBe(false);
    expect(await db().teamMember.count({ where: { workspaceId } })).toBe(0);
    expect(await db().auditEntry.findMany({ where: { workspaceId } })).toMatchObject([
      { kind: 'teammate_removed', userId: owner.id, data: { teammateId: agent.id, role: 'agent' } },
    ]);
  });

  test('rulings 4.14: loses every connection in this workspace immediately, and none elsewhere', async ({
    service,
  }) => {
    const [teammates, elsewhere] = [await makeTeammates(), await makeWorkspace()];
    const { workspaceId, owner, admin } = teammates;
    const first = await makeConnection({ workspaceId, teammate: admin });
    const second = await makeConnection({ workspaceId, teammate: admin });
    const others = await makeConnection({ workspaceId, teammate: owner });
    const far = await makeConnection({ workspaceId: elsewhere.id, teammate: admin });
    await remove(teammates, owner, admin);
    for (const { accessToken } of [first, second]) {
      const response = await apiClient(service.url, accessToken)('GET', '/me');
      expect(response).toMatchObject({ status: 401, body: { message: LEFT } });
    }
    for (const { accessToken } of [others, far]) {
      expect((await apiClient(service.url, accessToken)('GET', '/me')).status).toBe(200);
    }
    expect(await db().connection.findUniqueOrThrow({ where: { id: first.id } })).toMatchObject({
      endReason: 'teammate_left',
    });
    expect(await db().integration.count({ where: { workspaceId } })).toBe(1);
  });

  test('loses their conversations with a timeline entry, silently on merged ones, and without an event', async () => {
    const whole = await makeWholeWorkspace();
    const { workspaceId, userId, conversationId, mergedId } = whole;
    const owner = await addTeammate(workspaceId, 'owner');
    const target = await db().user.findUniqueOrThrow({ where: { id: userId } });
    await db().conversation.update({
      where: { id: mergedId },
      data: { assigneeId: userId, assignedAt: new Date() },
    });
    const events = await db().event.count({ where: { workspaceId } });
    const before = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
    await remove(whole, owner, target);
    for (const id of [conversationId, mergedId]) {
      const after = await db().conversation.findUniqueOrThrow({ where: { id } });
      expect(after).toMatchObject({ assigneeId: null, assignedAt: null });
    }
    const after = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    const entries = await db().timelineEntry.findMany({ where: { workspaceId, kind: 'unassigned' } });
    expect(entries).toMatchObject([
      {
        conversationId,
        actorKind: 'teammate',
        actorId: owner.id,
        actorName: owner.name,
        data: { assigneeName: target.name },
      },
    ]);
    expect(await db().event.count({ where: { workspaceId } })).toBe(events);
    expect(await db().message.findUniqueOrThrow({ where: { id: whole.messageId } })).toMatchObject({
      authorId: userId,
    });
  });

  test('loses all of thousands of conversations', async ({ teammates }) => {
    await assignTo(teammates.workspaceId, teammates.agent, 2_500);
    await remove(teammates, teammates.owner, teammates.agent);
    const { workspaceId } = teammates;
    expect(await db().conversation.count({ where: { workspaceId, assigneeId: { not: null } } })).toBe(0);
    expect(await db().timelineEntry.count({ where: { workspaceId, kind: 'unassigned' } })).toBe(2_500);
  });

  test('has another workspace open in their sessions afterwards, or none', async ({ service }) => {
    const [teammates, other] = [await makeTeammates(), await makeWorkspace({ name: 'Other' })];
    await addMember(other.id, teammates.agent.id, 'viewer');
    const [agent, viewer] = [
      await signInAs(service.url, teammates.agent),
      await signInAs(service.url, teammates.viewer),
    ];
    await db().user.update({
      where: { id: teammates.agent.id },
      data: { lastWorkspaceId: teammates.workspaceId },
    });
    await remove(teammates, teammates.owner, teammates.agent);
    await remove(teammates, teammates.owner, teammates.viewer);
    const sessions = await db().session.findMany({
      where: { userId: { in: [teammates.agent.id, teammates.viewer.id] } },
      orderBy: { createdAt: 'asc' },
    });
    expect(sessions.map(({ workspaceId }) => workspaceId)).toEqual([other.id, null]);
    expect((await findSignedIn(new Headers({ cookie: agent })))?.workspace?.name).toBe('Other');
    expect((await findSignedIn(new Headers({ cookie: viewer })))?.workspace).toBeNull();
    expect(await db().user.findUniqueOrThrow({ where: { id: teammates.agent.id } })).toMatchObject({
      lastWorkspaceId: null,
    });
  });

  test('keeps no notification and no unfinished consent there', async ({ teammates }) => {
    const where = { workspaceId: teammates.workspaceId, userId: teammates.agent.id };
    await db().notification.create({ data: { ...where, kind: 'assigned', data: { byName: null } } });
    await db().consentForm.create({
      data: { ...where, tokenHash: Buffer.alloc(32), requestHash: Buffer.alloc(32), expiresAt: new Date() },
    });
    await remove(teammates, teammates.owner, teammates.agent);
    expect(await db().notification.count({ where })).toBe(0);
    expect(await db().consentForm.count({ where })).toBe(0);
  });
});

describe('permissions to remove a teammate', () => {
  test('an admin removes agents, viewers and admins, but no owner', async ({ teammates }) => {
    await addTeammate(teammates.workspaceId, 'owner');
    const second = await addTeammate(teammates.workspaceId, 'admin');
    for (const target of [teammates.agent, teammates.viewer, second])
      await remove(teammates, teammates.admin, target);
    await expect(remove(teammates, teammates.admin, teammates.owner)).rejects.toMatchObject({
      refusal: 'forbidden',
      message: 'Only owners can remove an owner.',
    });
    expect(await db().member.count({ where: { workspaceId: teammates.workspaceId } })).toBe(3);
  });

  test('an agent, a viewer or a non-member cannot remove anyone', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    for (const by of [teammates.agent, teammates.viewer, strangers.owner]) {
      await expect(remove(teammates, by, teammates.admin)).rejects.toMatchObject({ refusal: 'forbidden' });
    }
    expect(await isMember(teammates, teammates.admin)).toBe(true);
  });

  test('removing someone who is not a member is refused: in no workspace, in another one, or already gone', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    await remove(teammates, teammates.owner, teammates.viewer);
    for (const target of [strangers.agent, teammates.viewer, { ...teammates.agent, id: 'no-uuid' }]) {
      await expect(remove(teammates, teammates.owner, target)).rejects.toMatchObject({
        refusal: 'not_found',
      });
    }
    expect(await isMember(strangers, strangers.agent)).toBe(true);
  });

  test('an admin who was just demoted cannot remove anyone', async ({ teammates }) => {
    const { workspaceId, admin } = teammates;
    await db().member.update({
      where: { workspaceId_userId: { workspaceId, userId: admin.id } },
      data: { role: 'agent' },
    });
    await expect(remove(teammates, admin, teammates.agent)).rejects.toMatchObject({ refusal: 'forbidden' });
  });
});

describe('leaving', () => {
  test('is open to everyone, and the audit log says that they left', async ({ teammates }) => {
    const { workspaceId, owner, admin, agent, viewer } = teammates;
    await assignTo(workspaceId, agent, 1);
    await addTeammate(workspaceId, 'owner');
    for (const target of [viewer, agent, admin, owner]) await remove(teammates, target, target);
    expect(await db().member.count({ where: { workspaceId } })).toBe(1);
    const entries = await db().auditEntry.findMany({ where: { workspaceId, kind: 'teammate_left' } });
    expect(entries.map(({ userId }) => userId).sort()).toEqual(
      [viewer, agent, admin, owner].map(({ id }) => id).sort(),
    );
    expect(await db().timelineEntry.findMany({ where: { workspaceId } })).toMatchObject([
      { kind: 'unassigned', actorKind: 'automatic', actorName: null },
    ]);
  });

  test('is refused to the last owner, who keeps everything', async ({ service, teammates }) => {
    const [id] = await assignTo(teammates.workspaceId, teammates.owner, 1);
    const connection = await makeConnection({
      workspaceId: teammates.workspaceId,
      teammate: teammates.owner,
    });
    await expect(remove(teammates, teammates.owner, teammates.owner)).rejects.toMatchObject({
      refusal: 'invalid',
      message: 'You are the only owner. To leave or change your role, first make someone else an owner.',
    });
    expect((await apiClient(service.url, connection.accessToken)('GET', '/me')).status).toBe(200);
    expect(await db().conversation.findFirstOrThrow({ where: { id: `${id}` } })).toMatchObject({
      assigneeId: teammates.owner.id,
    });
  });

  test('one owner stays when two owners leave or remove each other at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const teammates = await makeTeammates();
      const second = await addTeammate(teammates.workspaceId, 'owner');
      const outcomes = await Promise.allSettled(
        round % 2
          ? [remove(teammates, teammates.owner, teammates.owner), remove(teammates, second, second)]
          : [remove(teammates, teammates.owner, second), remove(teammates, second, teammates.owner)],
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await owners(teammates)).toBe(1);
    }
  });
});

describe('while a teammate is being removed', () => {
  test('simultaneous assignments to them are undone or refused', async ({ teammates }) => {
    const { workspaceId, owner, agent } = teammates;
    const ids = await assignTo(workspaceId, owner, 20);
    const assigning = ids.map((id) =>
      updateConversation({
        workspaceId,
        id,
        actor: { kind: 'teammate', teammate: owner },
        changes: { assigneeId: agent.id },
      }),
    );
    const outcomes = await Promise.allSettled([...assigning, remove(teammates, owner, agent)]);
    expect(outcomes.at(-1)?.status).toBe('fulfilled');
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ refusal: 'invalid' });
    }
    expect(await db().conversation.count({ where: { workspaceId, assigneeId: agent.id } })).toBe(0);
    expect(await isMember(teammates, agent)).toBe(false);
  });

  test('a consent they approve at the same time is disconnected or refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const teammates = await makeTeammates();
      const { workspaceId, owner, admin } = teammates;
      await Promise.all([
        approve({ workspaceId, teammate: admin, request: { state: undefined, challenge: undefined } }),
        remove(teammates, owner, admin),
      ]);
      expect(await db().connection.count({ where: { workspaceId, endedAt: null } })).toBe(0);
      expect(await db().integration.count({ where: { workspaceId } })).toBe(0);
    }
  });
});

const LEFT = 'The connecting teammate is no longer in this workspace, reconnect.';

const remove = ({ workspaceId }: Pick<Teammates, 'workspaceId'>, by: Teammate, target: Teammate) =>
  removeMember({ workspaceId, userId: target.id, by });

const isMember = async ({ workspaceId }: Pick<Teammates, 'workspaceId'>, { id: userId }: Teammate) =>
  (await db().member.count({ where: { workspaceId, userId } })) === 1;

const owners = ({ workspaceId }: Teammates) => db().member.count({ where: { workspaceId, role: 'owner' } });

/** Creates conversations that are assigned to a teammate. */
async function assignTo(workspaceId: string, { id }: Teammate, count: number): Promise<string[]> {
  const data = Array.from({ length: count }, () => ({
    workspaceId,
    channel: 'email' as const,
    assigneeId: id,
    assignedAt: new Date(),
  }));
  const made = await db().conversation.createManyAndReturn({ data, select: { id: true } });
  return made.map((conversation) => conversation.id);
}
