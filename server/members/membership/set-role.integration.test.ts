import { describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { db } from '#server/ground/db.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { setRole } from '#server/members/membership/set-role.ts';
import { apiClient } from '#test/api-client.ts';
import { addTeammate, type Crew, makeCrew } from '#test/crew.ts';
import { makeConnection } from '#test/factories.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();

const LAST = { refusal: 'invalid', message: expect.stringContaining('is the last owner of this workspace') };

const change = ({ workspaceId }: Crew, by: Teammate, whom: Teammate, role: Role) =>
  setRole({ workspaceId, userId: whom.id, role, by });

async function roleOf({ workspaceId }: Crew, { id: userId }: Teammate): Promise<Role | undefined> {
  const member = await db().member.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } });
  return member?.role;
}

describe('changing roles', () => {
  test('an owner makes an agent an admin, and the audit list says who did', async () => {
    const crew = await makeCrew();
    await change(crew, crew.owner, crew.agent, 'admin');
    expect(await roleOf(crew, crew.agent)).toBe('admin');
    expect(await db().auditEntry.findMany({ where: { workspaceId: crew.workspaceId } })).toMatchObject([
      {
        kind: 'role_changed',
        userId: crew.owner.id,
        data: { teammateId: crew.agent.id, teammateName: crew.agent.name, from: 'agent', to: 'admin' },
      },
    ]);
  });

  test('an admin changes agents, viewers and admins, themselves among them', async () => {
    const crew = await makeCrew();
    await change(crew, crew.admin, crew.viewer, 'admin');
    await change(crew, crew.admin, crew.viewer, 'agent');
    await change(crew, crew.admin, crew.admin, 'viewer');
    expect([await roleOf(crew, crew.viewer), await roleOf(crew, crew.admin)]).toEqual(['agent', 'viewer']);
  });

  test('the role that somebody has already changes nothing', async () => {
    const crew = await makeCrew();
    await change(crew, crew.owner, crew.agent, 'agent');
    await change(crew, crew.owner, crew.owner, 'owner');
    expect(await db().auditEntry.count({ where: { workspaceId: crew.workspaceId } })).toBe(0);
  });

  test('an owner becomes an agent once there is another one', async () => {
    const crew = await makeCrew();
    await change(crew, crew.owner, crew.agent, 'owner');
    await change(crew, crew.owner, crew.owner, 'agent');
    expect([await roleOf(crew, crew.owner), await roleOf(crew, crew.agent)]).toEqual(['agent', 'owner']);
  });

  test('who is not in the workspace has no role to change there', async () => {
    const [crew, strangers] = [await makeCrew(), await makeCrew()];
    const nobody = { ...crew.agent, id: '01890000-0000-7000-8000-000000000000' };
    for (const whom of [strangers.agent, nobody, { ...crew.agent, id: 'no-uuid' }]) {
      await expect(change(crew, crew.owner, whom, 'viewer')).rejects.toMatchObject({ refusal: 'not_found' });
    }
    expect(await roleOf(strangers, strangers.agent)).toBe('agent');
  });
});

describe('the attacker who wants a role they may not give', () => {
  test('as an admin makes nobody an owner, not even themselves', async () => {
    const crew = await makeCrew();
    for (const whom of [crew.admin, crew.agent]) {
      await expect(change(crew, crew.admin, whom, 'owner')).rejects.toMatchObject({ refusal: 'forbidden' });
    }
    expect(await db().member.count({ where: { workspaceId: crew.workspaceId, role: 'owner' } })).toBe(1);
  });

  test('as an admin takes no owner down', async () => {
    const crew = await makeCrew();
    await addTeammate(crew.workspaceId, 'owner');
    for (const role of ['admin', 'agent', 'viewer', 'owner'] as const) {
      await expect(change(crew, crew.admin, crew.owner, role)).rejects.toMatchObject({
        refusal: 'forbidden',
      });
    }
  });

  test('as an agent, a viewer or a stranger changes nobody', async () => {
    const [crew, strangers] = [await makeCrew(), await makeCrew()];
    for (const by of [crew.agent, crew.viewer, strangers.owner]) {
      for (const whom of [crew.agent, crew.viewer]) {
        await expect(change(crew, by, whom, 'admin')).rejects.toMatchObject({ refusal: 'forbidden' });
      }
    }
  });
});

describe('the last owner', () => {
  test('keeps the role', async () => {
    const crew = await makeCrew();
    for (const role of ['admin', 'agent', 'viewer'] as const) {
      await expect(change(crew, crew.owner, crew.owner, role)).rejects.toMatchObject(LAST);
    }
    expect(await roleOf(crew, crew.owner)).toBe('owner');
  });

  test('is there also when two owners step down at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const crew = await makeCrew();
      const second = await addTeammate(crew.workspaceId, 'owner');
      const outcomes = await Promise.allSettled([
        change(crew, crew.owner, crew.owner, 'agent'),
        change(crew, second, second, 'agent'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await db().member.count({ where: { workspaceId: crew.workspaceId, role: 'owner' } })).toBe(1);
    }
  });

  test('or when two owners take each other down: the second is no owner any more when it is their turn', async () => {
    for (let round = 0; round < 10; round += 1) {
      const crew = await makeCrew();
      const second = await addTeammate(crew.workspaceId, 'owner');
      const outcomes = await Promise.allSettled([
        change(crew, crew.owner, second, 'viewer'),
        change(crew, second, crew.owner, 'viewer'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await db().member.count({ where: { workspaceId: crew.workspaceId, role: 'owner' } })).toBe(1);
    }
  });
});

describe('a teammate who is made a viewer', () => {
  /** Conversations assigned to a teammate. */
  async function assignTo({ workspaceId }: Crew, { id }: Teammate, count: number): Promise<string[]> {
    const assigned = { workspaceId, channel: 'email' as const, assigneeId: id, assignedAt: new Date() };
    const made = await db().conversation.createManyAndReturn({
      data: Array.from({ length: count }, () => assigned),
      select: { id: true },
    });
    return made.map((conversation) => conversation.id);
  }
  const held = ({ workspaceId }: Crew, { id }: Teammate) =>
    db().conversation.count({ where: { workspaceId, assigneeId: id } });

  test('loses their conversations, as the timeline of each says, and is nobody to assign to', async () => {
    const crew = await makeCrew();
    const { workspaceId, owner, admin, agent } = crew;
    const [first = ''] = await assignTo(crew, agent, 2);
    await assignTo(crew, admin, 1);
    await change(crew, owner, agent, 'viewer');
    expect([await held(crew, agent), await held(crew, admin)]).toEqual([0, 1]);
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

  test('also thousands of them, in batches, and by their own hand', async () => {
    const crew = await makeCrew();
    await assignTo(crew, crew.admin, 2_100);
    await change(crew, crew.admin, crew.admin, 'viewer');
    expect(await held(crew, crew.admin)).toBe(0);
    const where = { workspaceId: crew.workspaceId, kind: 'unassigned', actorKind: 'automatic' } as const;
    expect(await db().timelineEntry.count({ where })).toBe(2_100);
  });

  test('keeps none that is assigned to them at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const crew = await makeCrew();
      const { workspaceId, owner, admin, agent } = crew;
      const ids = await assignTo(crew, owner, 6);
      await Promise.allSettled([
        ...ids.map((id) =>
          updateConversation({
            workspaceId,
            id,
            actor: { kind: 'teammate', teammate: admin },
            changes: { assigneeId: agent.id },
          }),
        ),
        change(crew, owner, agent, 'viewer'),
      ]);
      expect([await roleOf(crew, agent), await held(crew, agent)]).toEqual(['viewer', 0]);
    }
  });

  test('who is one already, or may not be made one, keeps everything as it is', async () => {
    const crew = await makeCrew();
    await assignTo(crew, crew.owner, 1);
    await expect(change(crew, crew.admin, crew.owner, 'viewer')).rejects.toMatchObject({
      refusal: 'forbidden',
    });
    await expect(change(crew, crew.owner, crew.owner, 'viewer')).rejects.toMatchObject(LAST);
    expect(await held(crew, crew.owner)).toBe(1);
  });
});

describe('spec.md §1: a connection of somebody who is demoted', () => {
  test('is refused on the very next call, but has not ended, and works again once they are promoted', async () => {
    const crew = await makeCrew();
    const connection = await makeConnection({ workspaceId: crew.workspaceId, teammate: crew.admin });
    const me = apiClient(service.url, connection.accessToken);
    expect((await me('GET', '/me')).status).toBe(200);
    await change(crew, crew.owner, crew.admin, 'agent');
    expect((await me('GET', '/me')).status).toBe(403);
    expect(await db().connection.findUniqueOrThrow({ where: { id: connection.id } })).toMatchObject({
      endedAt: null,
    });
    await change(crew, crew.owner, crew.admin, 'admin');
    expect((await me('GET', '/me')).status).toBe(200);
  });
});
