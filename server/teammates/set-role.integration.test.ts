import { describe, expect, test } from 'vitest';
import { db } from '#server/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import type { Teammate } from '#server/teammates/actor.ts';
import { setRole } from '#server/teammates/set-role.ts';
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
