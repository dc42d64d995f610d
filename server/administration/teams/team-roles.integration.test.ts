import { describe, expect } from 'vitest';
import { inTransaction } from '#server/core/database/prisma.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { test } from '#test/fixtures/teams-test.ts';

describe('roles', () => {
  test.for(['agent', 'viewer'] as const)(
    'an attacker who is %s sees the teams and changes none',
    async (role, { teammates, screensOf, createTeam, listTeams }) => {
      const id = await createTeam();
      const theirs = (await screensOf(role)).teams;
      expect(await theirs.get()).toMatchObject({ mayManage: false, teams: [{ id }] });
      const userId = teammates.agent.id;
      for (const attempt of [
        () => theirs.create({ name: 'Mine' }),
        () => theirs.rename({ id, name: 'Mine' }),
        () => theirs.delete({ id }),
        () => theirs.addMember({ id, userId }),
        () => theirs.removeMember({ id, userId }),
      ]) {
        expect(await errorsOf(attempt())).toBe(ONLY_MANAGERS);
      }
      expect(await listTeams()).toMatchObject([{ id, name: 'Billing', members: [] }]);
    },
  );

  test('an admin who was demoted after loading the page cannot change a team', async ({
    teammates,
    workspaceId,
    teams,
  }) => {
    await inTransaction((tx) =>
      tx.member.updateMany({ where: { workspaceId, userId: teammates.admin.id }, data: { role: 'agent' } }),
    );
    expect(await errorsOf(teams.create({ name: 'Late' }))).toBe(ONLY_MANAGERS);
  });

  test('an attacker who owns another workspace finds no team by its id', async ({
    createTeam,
    listTeams,
  }) => {
    const id = await createTeam();
    const abroad = await makeTeammates();
    const theirs = (await (await signInTeammate(abroad.owner))()).teams;
    const userId = abroad.owner.id;
    for (const which of [id, 'no-uuid']) {
      expect(await errorsOf(theirs.rename({ id: which, name: 'Mine' }))).toBe(NOT_FOUND);
      expect(await errorsOf(theirs.delete({ id: which }))).toBe(NOT_FOUND);
      expect(await errorsOf(theirs.addMember({ id: which, userId }))).toBe(NOT_FOUND);
      expect(await errorsOf(theirs.removeMember({ id: which, userId }))).toBe(NOT_FOUND);
    }
    expect((await theirs.get()).teams).toEqual([]);
    expect(await listTeams()).toMatchObject([{ id, name: 'Billing', members: [] }]);
  });
});

const NOT_FOUND = 'The team was not found.';
