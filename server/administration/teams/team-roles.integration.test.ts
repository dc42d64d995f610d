import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import type { screensFor } from '#server/screens/router.ts';
import { ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

type Screens = Awaited<ReturnType<typeof screensFor>>;

withTestService();
let teammates: Teammates;
let workspaceId: string;
let teams: Screens['teams'];
const screensOf = async (role: Role) => (await signInTeammate(teammates[role]))();
beforeEach(async () => {
  await forgetJobs();
  teammates = await makeTeammates();
  workspaceId = teammates.workspaceId;
  teams = (await screensOf('admin')).teams;
});

const NOT_FOUND = 'The team was not found.';
const make = async (name = 'Billing') => (await teams.create({ name })).id;
const shown = async () => (await teams.get()).teams;

describe('roles', () => {
  test.each(['agent', 'viewer'] as const)(
    'an attacker who is %s sees the teams and changes none',
    async (role) => {
      const id = await make();
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
      expect(await shown()).toMatchObject([{ id, name: 'Billing', members: [] }]);
    },
  );

  test('an admin who was demoted after loading the page cannot change a team', async () => {
    await inTransaction((tx) =>
      tx.member.updateMany({ where: { workspaceId, userId: teammates.admin.id }, data: { role: 'agent' } }),
    );
    expect(await errorsOf(teams.create({ name: 'Late' }))).toBe(ONLY_MANAGERS);
  });

  test('an attacker who owns another workspace finds no team by its id', async () => {
    const id = await make();
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
    expect(await shown()).toMatchObject([{ id, name: 'Billing', members: [] }]);
  });
});
