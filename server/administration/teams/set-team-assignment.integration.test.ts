import { expect } from 'vitest';
import { copySettings } from '#server/administration/workspaces/copy-settings.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { auditSentence } from '#server/screens/audit/audit-sentences.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { auditedTeams } from '#test/fixtures/team-rows.ts';
import { test } from '#test/fixtures/teams-test.ts';

test('automatic assignment of a team is set with a limit, shown to everyone, and named in the audit log once', async ({
  workspaceId,
  teams,
  createTeam,
  screensOf,
}) => {
  const id = await createTeam();
  const shown = async () => {
    const [team] = (await (await screensOf('viewer')).teams.get()).teams;
    return { assignment: team?.assignment, limit: team?.assignmentLimit };
  };
  expect(await shown()).toEqual({ assignment: 'off', limit: null });
  const leastBusy = { id, assignment: 'least_busy', limit: 12 } as const;
  await teams.setAssignment(leastBusy);
  await teams.setAssignment(leastBusy);
  expect(await shown()).toEqual({ assignment: 'least_busy', limit: 12 });
  await teams.setAssignment({ id, assignment: 'off', limit: 12 });
  expect(await shown()).toEqual({ assignment: 'off', limit: null });
  const entries = (await auditedTeams(workspaceId)).slice(1);
  const sentences = entries.map(({ kind, data }) =>
    auditSentence(kind, { by: 'Ada', teammateName: null, data: Object(data), platformName: '' }),
  );
  expect(sentences).toEqual([
    'Ada set automatic assignment in the team Billing to least busy, with up to 12 open conversations each.',
    'Ada set automatic assignment in the team Billing to off.',
  ]);
});

test.for([0, -1, 1.5, 1_000])('a limit of %d is refused', async (limit, { teams, createTeam }) => {
  const id = await createTeam();
  expect(await errorsOf(teams.setAssignment({ id, assignment: 'round_robin', limit }))).toEqual({
    limit: ['Enter a number from 1 to 999, or leave it empty for no limit.'],
  });
});

test('agents do not set it, and other workspaces do not have the team', async ({
  teams,
  createTeam,
  screensOf,
}) => {
  const id = await createTeam();
  const agent = await screensOf('agent');
  const setting = { assignment: 'round_robin', limit: null } as const;
  await expect(agent.teams.setAssignment({ id, ...setting })).rejects.toThrow('Only owners and admins');
  const { id: workspaceId } = await makeWorkspace();
  const other = await db().team.create({ data: { workspaceId, name: 'Other' } });
  await expect(teams.setAssignment({ id: other.id, ...setting })).rejects.toThrow('The team');
});

test('a test workspace starts with the setting of each team', async ({ workspaceId, teams, createTeam }) => {
  const id = await createTeam();
  await teams.setAssignment({ id, assignment: 'round_robin', limit: 3 });
  const to = crypto.randomUUID();
  await inTransaction((tx) => copySettings(tx, { from: workspaceId, to, name: 'Test' }));
  expect(await db().team.findMany({ where: { workspaceId: to } })).toMatchObject([
    { name: 'Billing', assignment: 'round_robin', assignmentLimit: 3 },
  ]);
});
