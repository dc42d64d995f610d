import { describe, expect } from 'vitest';
import { setRole } from '#server/administration/members/set-role.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { addTeammate, makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

describe('changing roles', () => {
  test('an owner makes an agent an admin, and the audit log names the owner', async ({ teammates }) => {
    await change(teammates, teammates.owner, teammates.agent, 'admin');
    expect(await roleOf(teammates, teammates.agent)).toBe('admin');
    expect(await db().auditEntry.findMany({ where: { workspaceId: teammates.workspaceId } })).toMatchObject([
      {
        kind: 'role_changed',
        userId: teammates.owner.id,
        data: {
          teammateId: teammates.agent.id,
          teammateName: teammates.agent.name,
          from: 'agent',
          to: 'admin',
        },
      },
    ]);
  });

  test('an admin changes the roles of agents, viewers and admins, including their own', async ({
    teammates,
  }) => {
    await change(teammates, teammates.admin, teammates.viewer, 'admin');
    await change(teammates, teammates.admin, teammates.viewer, 'agent');
    await change(teammates, teammates.admin, teammates.admin, 'viewer');
    expect([await roleOf(teammates, teammates.viewer), await roleOf(teammates, teammates.admin)]).toEqual([
      'agent',
      'viewer',
    ]);
  });

  test('giving the current role changes nothing', async ({ teammates }) => {
    await change(teammates, teammates.owner, teammates.agent, 'agent');
    await change(teammates, teammates.owner, teammates.owner, 'owner');
    expect(await db().auditEntry.count({ where: { workspaceId: teammates.workspaceId } })).toBe(0);
  });

  test('an owner becomes an agent once there is another owner', async ({ teammates }) => {
    await change(teammates, teammates.owner, teammates.agent, 'owner');
    await change(teammates, teammates.owner, teammates.owner, 'agent');
    expect([await roleOf(teammates, teammates.owner), await roleOf(teammates, teammates.agent)]).toEqual([
      'agent',
      'owner',
    ]);
  });

  test('a user who is not in the workspace is not found', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    const nobody = { ...teammates.agent, id: '01890000-0000-7000-8000-000000000000' };
    for (const target of [strangers.agent, nobody, { ...teammates.agent, id: 'no-uuid' }]) {
      await expect(change(teammates, teammates.owner, target, 'viewer')).rejects.toMatchObject({
        refusal: 'not_found',
      });
    }
    expect(await roleOf(strangers, strangers.agent)).toBe('agent');
  });
});

describe('an attacker who wants a role they may not give', () => {
  test('cannot make anyone an owner as an admin, not even themselves', async ({ teammates }) => {
    for (const target of [teammates.admin, teammates.agent]) {
      await expect(change(teammates, teammates.admin, target, 'owner')).rejects.toMatchObject({
        refusal: 'forbidden',
      });
    }
    expect(await db().member.count({ where: { workspaceId: teammates.workspaceId, role: 'owner' } })).toBe(1);
  });

  test('cannot demote an owner as an admin', async ({ teammates }) => {
    await addTeammate(teammates.workspaceId, 'owner');
    for (const role of ['admin', 'agent', 'viewer', 'owner'] as const) {
      await expect(change(teammates, teammates.admin, teammates.owner, role)).rejects.toMatchObject({
        refusal: 'forbidden',
      });
    }
  });

  test('cannot change a role as an agent, a viewer or a non-member', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    for (const by of [teammates.agent, teammates.viewer, strangers.owner]) {
      for (const target of [teammates.agent, teammates.viewer]) {
        await expect(change(teammates, by, target, 'admin')).rejects.toMatchObject({ refusal: 'forbidden' });
      }
    }
  });
});

describe('the last owner', () => {
  test('cannot give up the role', async ({ teammates }) => {
    for (const role of ['admin', 'agent', 'viewer'] as const) {
      await expect(change(teammates, teammates.owner, teammates.owner, role)).rejects.toMatchObject(LAST);
    }
    expect(await roleOf(teammates, teammates.owner)).toBe('owner');
  });

  test('stays when two owners step down at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const teammates = await makeTeammates();
      const second = await addTeammate(teammates.workspaceId, 'owner');
      const outcomes = await Promise.allSettled([
        change(teammates, teammates.owner, teammates.owner, 'agent'),
        change(teammates, second, second, 'agent'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await db().member.count({ where: { workspaceId: teammates.workspaceId, role: 'owner' } })).toBe(
        1,
      );
    }
  });

  test('stays when two owners demote each other: the second is no longer an owner by then', async () => {
    for (let round = 0; round < 10; round += 1) {
      const teammates = await makeTeammates();
      const second = await addTeammate(teammates.workspaceId, 'owner');
      const outcomes = await Promise.allSettled([
        change(teammates, teammates.owner, second, 'viewer'),
        change(teammates, second, teammates.owner, 'viewer'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await db().member.count({ where: { workspaceId: teammates.workspaceId, role: 'owner' } })).toBe(
        1,
      );
    }
  });
});

describe('a teammate who becomes a viewer', () => {
  /** Creates conversations that are assigned to a teammate. */
  async function assignTo({ workspaceId }: Teammates, { id }: Teammate, count: number): Promise<string[]> {
    const assigned = { workspaceId, channel: 'email' as const, assigneeId: id, assignedAt: new Date() };
    const made = await db().conversation.createManyAndReturn({
      data: Array.from({ length: count }, () => assigned),
      select: { id: true },
    });
    return made.map((conversation) => conversation.id);
  }
  const countAssigned = ({ workspaceId }: Teammates, { id }: Teammate) =>
    db().conversation.count({ where: { workspaceId, assigneeId: id } });

  test('loses their conversations with a timeline entry each, and cannot be assigned any', async ({
    service,
    teammates,
  }) => {
    const { workspaceId, owner, admin, agent } = teammates;
    const [first = ''] = await assignTo(teammates, agent, 2);
    await assignTo(teammates, admin, 1);
    await change(teammates, owner, agent, 'viewer');
    expect([await countAssigned(teammates, agent), await countAssigned(teammates, admin)]).toEqual([0, 1]);
    const entries = await db().timelineEntry.findMany({ where: { workspaceId } });
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({
        conversationId: first,
        kind: 'unassigned',
        actorId: owner.id,
        data: { assigneeName: agent.name },
      }),
    );
    const { accessToken } = await makeConnection({ workspaceId, teammate: owner });
    const api = apiClient(service.url, accessToken);
    expect(JSON.stringify((await api('GET', '/users')).body)).not.toContain(agent.id);
    expect((await api('PATCH', `/conversations/${first}`, { assignee_id: agent.id })).status).toBe(422);
  });

  test('loses thousands of conversations in batches when they demote themselves', async ({ teammates }) => {
    await assignTo(teammates, teammates.admin, 2_100);
    await change(teammates, teammates.admin, teammates.admin, 'viewer');
    expect(await countAssigned(teammates, teammates.admin)).toBe(0);
    const where = { workspaceId: teammates.workspaceId, kind: 'unassigned', actorKind: 'automatic' } as const;
    expect(await db().timelineEntry.count({ where })).toBe(2_100);
  });

  test('keeps no conversation that is assigned to them at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const teammates = await makeTeammates();
      const { workspaceId, owner, admin, agent } = teammates;
      const ids = await assignTo(teammates, owner, 6);
      await Promise.allSettled([
        ...ids.map((id) =>
          updateConversation({
            workspaceId,
            id,
            actor: { kind: 'teammate', teammate: admin },
            changes: { assigneeId: agent.id },
          }),
        ),
        change(teammates, owner, agent, 'viewer'),
      ]);
      expect([await roleOf(teammates, agent), await countAssigned(teammates, agent)]).toEqual(['viewer', 0]);
    }
  });

  test('keeps everything when the change is refused', async ({ teammates }) => {
    await assignTo(teammates, teammates.owner, 1);
    await expect(change(teammates, teammates.admin, teammates.owner, 'viewer')).rejects.toMatchObject({
      refusal: 'forbidden',
    });
    await expect(change(teammates, teammates.owner, teammates.owner, 'viewer')).rejects.toMatchObject(LAST);
    expect(await countAssigned(teammates, teammates.owner)).toBe(1);
  });
});

describe('spec §1: a connection of a demoted teammate', () => {
  test('is refused on the next call without being disconnected, and works again after a promotion', async ({
    service,
    teammates,
  }) => {
    const connection = await makeConnection({
      workspaceId: teammates.workspaceId,
      teammate: teammates.admin,
    });
    const me = apiClient(service.url, connection.accessToken);
    expect((await me('GET', '/me')).status).toBe(200);
    await change(teammates, teammates.owner, teammates.admin, 'agent');
    expect((await me('GET', '/me')).status).toBe(403);
    expect(await db().connection.findUniqueOrThrow({ where: { id: connection.id } })).toMatchObject({
      endedAt: null,
    });
    await change(teammates, teammates.owner, teammates.admin, 'admin');
    expect((await me('GET', '/me')).status).toBe(200);
  });
});

const LAST = { refusal: 'invalid', message: expect.stringContaining('You are the only owner') };

const change = ({ workspaceId }: Teammates, by: Teammate, target: Teammate, role: Role) =>
  setRole({ workspaceId, userId: target.id, role, by });

async function roleOf({ workspaceId }: Teammates, { id: userId }: Teammate): Promise<Role | undefined> {
  const member = await db().member.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } });
  return member?.role;
}
