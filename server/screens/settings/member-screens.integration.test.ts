import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { addTeammate, makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

describe('the list of teammates', () => {
  test('shows everyone to everyone, owners first, then by name', async ({ teammates }) => {
    await addTeammate(teammates.workspaceId, 'agent', 'Abe Agent');
    for (const whose of [teammates.owner, teammates.viewer]) {
      const { teammates } = await (await (await as(whose))()).teammates.list();
      expect(teammates.map(({ name }) => name)).toEqual([
        'Olivia Owen',
        'Adam Admin',
        'Abe Agent',
        'Aggie Agent',
        'Vic Viewer',
      ]);
      expect(teammates.filter(({ isYou }) => isYou).map(({ id }) => id)).toEqual([whose.id]);
    }
  });

  test('shows an owner the possible changes, and that the last owner stays', async ({ teammates }) => {
    await makeConnection({ workspaceId: teammates.workspaceId, teammate: teammates.admin });
    const view = await (await (await as(teammates.owner))()).teammates.list();
    expect(view).toMatchObject({ mayManage: true, invitableRoles: ALL });
    const [owner, ...others] = view.teammates;
    expect(owner).toMatchObject({
      roles: [],
      mayRemove: false,
      problem: 'You are the only owner. To leave or change your role, first make someone else an owner.',
    });
    for (const row of others) expect(row).toMatchObject({ roles: ALL, mayRemove: true, problem: null });
    expect(view.teammates.map(({ connections }) => connections)).toEqual([0, 1, 0, 0]);
  });

  test('shows an admin that owners cannot be changed', async ({ teammates }) => {
    await addTeammate(teammates.workspaceId, 'owner', 'Zoe Owner');
    const view = await (await (await as(teammates.admin))()).teammates.list();
    expect(view).toMatchObject({ mayManage: true, invitableRoles: BELOW });
    expect(view.teammates.map(({ roles, mayRemove }) => ({ roles, mayRemove }))).toEqual([
      { roles: [], mayRemove: false },
      { roles: [], mayRemove: false },
      ...Array(3).fill({ roles: BELOW, mayRemove: true }),
    ]);
  });

  test('lets agents and viewers only leave', async ({ teammates }) => {
    const view = await (await (await as(teammates.agent))()).teammates.list();
    expect(view).toMatchObject({ mayManage: false, invitableRoles: [] });
    expect(view.teammates.map(({ roles }) => roles)).toEqual([[], [], [], []]);
    expect(view.teammates.filter(({ mayRemove }) => mayRemove).map(({ id }) => id)).toEqual([
      teammates.agent.id,
    ]);
  });
});

describe('permissions', () => {
  test('only owners and admins can change roles and remove teammates', async ({ teammates }) => {
    for (const whose of [teammates.agent, teammates.viewer]) {
      const screens = await (await as(whose))();
      const userId = teammates.viewer.id;
      await expect(screens.teammates.setRole({ userId, role: 'admin' })).rejects.toMatchObject(FORBIDDEN);
      await expect(screens.teammates.remove({ userId: teammates.admin.id })).rejects.toMatchObject(FORBIDDEN);
      await expect(screens.teammates.removal({ userId: teammates.admin.id })).rejects.toMatchObject(
        FORBIDDEN,
      );
    }
    const admin = await as(teammates.admin);
    await (await admin()).teammates.setRole({ userId: teammates.viewer.id, role: 'agent' });
    await (await admin()).teammates.remove({ userId: teammates.viewer.id });
    expect((await (await admin()).teammates.list()).teammates).toHaveLength(3);
  });

  test('a teammate who leaves has another workspace open, or none', async ({ teammates }) => {
    const viewer = await as(teammates.viewer);
    await (await viewer()).teammates.leave();
    expect(await (await viewer()).session.current()).toMatchObject({ workspace: null, workspaces: [] });
    await expect((await viewer()).teammates.list()).rejects.toMatchObject(FORBIDDEN);
  });

  test('the attacker reaches no member of another workspace', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    const screens = await (await as(teammates.owner))();
    const userId = strangers.agent.id;
    const NOT_FOUND = { cause: { refusal: 'not_found' } };
    await expect(screens.teammates.setRole({ userId, role: 'viewer' })).rejects.toMatchObject(NOT_FOUND);
    await expect(screens.teammates.remove({ userId })).rejects.toMatchObject(NOT_FOUND);
    await expect(screens.teammates.removal({ userId })).rejects.toMatchObject(NOT_FOUND);
    expect(await db().member.count({ where: { workspaceId: strangers.workspaceId } })).toBe(4);
  });

  test('the consequences of a removal are shown beforehand', async ({ teammates }) => {
    const { workspaceId, admin } = teammates;
    await makeConnection({ workspaceId, teammate: admin });
    await db().conversation.create({
      data: { workspaceId, channel: 'email', assigneeId: admin.id, assignedAt: new Date() },
    });
    const shown = { name: 'Adam Admin', connections: 1, liveWorkflows: 0, conversations: 1 };
    expect(await (await (await as(teammates.owner))()).teammates.removal({ userId: admin.id })).toEqual(
      shown,
    );
    expect(await (await (await as(admin))()).teammates.removal({ userId: admin.id })).toEqual(shown);
  });
});

const ALL = ['owner', 'admin', 'agent', 'viewer'];
const BELOW = ['admin', 'agent', 'viewer'];
const FORBIDDEN = { cause: { refusal: 'forbidden' } };
const as = (teammate: { email: string }) => signInTeammate(teammate);
