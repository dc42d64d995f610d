import { Client } from 'pg';
import { describe, expect } from 'vitest';
import { setRole } from '#server/administration/members/set-role.ts';
import { TEAMS_MAX } from '#server/administration/teams/create-team.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { flushPublished, LIVE_CHANNEL } from '#server/core/live/publish.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { auditedTeams, giveConversations } from '#test/fixtures/team-rows.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { test } from '#test/fixtures/teams-test.ts';
import { until } from '#test/fixtures/until.ts';

test.beforeEach(forgetJobs);

describe('a new team', () => {
  test('appears in the API, in conversations, filters and flows, and in the audit log', async ({
    api,
    workspaceId,
    screensOf,
    createTeam,
  }) => {
    expect((await api('GET', '/teams')).body).toEqual([]);
    const id = await createTeam(' Billing ');
    const team = { id, name: 'Billing' };
    expect((await api('GET', '/teams')).body).toEqual([team]);
    const screens = await screensOf('agent');
    const [conversation = ''] = await giveConversations(workspaceId, id, 1);
    const opened = await screens.conversations.get({ id: conversation });
    expect(opened?.actions.teams).toEqual([team]);
    expect((await screens.inbox.filterChoices()).teams).toEqual([team]);
    expect((await screens.flows.get()).teams).toEqual([team]);
    expect(await auditedTeams(workspaceId)).toEqual([
      { kind: 'team_created', data: { teamId: id, teamName: 'Billing' } },
    ]);
  });

  test('has a name of at most 80 characters that no other team of the workspace has', async ({
    teams,
    createTeam,
    listTeams,
  }) => {
    await createTeam('Billing');
    const taken = (name: string) => ({
      name: [`There is already a team called ${name}. Choose another name.`],
    });
    expect(await errorsOf(teams.create({ name: 'BILLING' }))).toEqual(taken('BILLING'));
    expect(await errorsOf(teams.create({ name: ' ' }))).toEqual({
      name: ['The team name must not be empty.'],
    });
    expect(await errorsOf(teams.create({ name: 'x'.repeat(81) }))).toEqual({
      name: ['The team name must be at most 80 characters.'],
    });
    const id = await createTeam('x'.repeat(80));
    expect(await errorsOf(teams.rename({ id, name: 'billing' }))).toEqual(taken('billing'));
    const abroad = await makeTeammates();
    const there = (await (await signInTeammate(abroad.owner))()).teams;
    await there.create({ name: 'Billing' });
    expect((await listTeams()).map(({ name }) => name)).toEqual(['Billing', 'x'.repeat(80)]);
  });

  test('is created once by simultaneous requests', async ({ teams, listTeams }) => {
    const made = await Promise.allSettled(
      ['Billing', 'billing', 'BILLING'].map((name) => teams.create({ name })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listTeams()).toHaveLength(1);
  });

  test('is refused after a hundred, also by simultaneous requests', async ({
    workspaceId,
    teams,
    listTeams,
  }) => {
    const data = Array.from({ length: TEAMS_MAX - 1 }, (_, at) => ({ workspaceId, name: `Team ${at}` }));
    await db().team.createMany({ data });
    const responses = await Promise.all(['a', 'b', 'c'].map((name) => errorsOf(teams.create({ name }))));
    const refusal = { name: ['A workspace can have up to 100 teams. Delete one first.'] };
    expect(responses.filter((response) => response !== undefined)).toEqual([refusal, refusal]);
    expect(await listTeams()).toHaveLength(TEAMS_MAX);
  });
});

test('a renamed team has its new name everywhere, can change only the case, and open pages update', async ({
  api,
  workspaceId,
  teams,
  createTeam,
}) => {
  const id = await createTeam('billing');
  const [conversationId] = await giveConversations(workspaceId, id, 1);
  const listener = new Client({ connectionString: settings().DATABASE_URL });
  await listener.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await flushPublished();
  await listener.query(`listen ${LIVE_CHANNEL}`);
  await teams.rename({ id, name: 'Billing' });
  await until('the change is published', () => heard.some((message) => message.includes(workspaceId)));
  await listener.end();
  expect((await api('GET', '/teams')).body).toEqual([{ id, name: 'Billing' }]);
  const response = await api('PATCH', `/conversations/${conversationId}`, { priority: 'high' });
  expect(response.body).toMatchObject({ team: { id, name: 'Billing' } });
  await teams.rename({ id, name: 'Billing' });
  expect(await auditedTeams(workspaceId)).toMatchObject([
    { kind: 'team_created' },
    { kind: 'team_renamed', data: { teamId: id, from: 'billing', to: 'Billing' } },
  ]);
});

describe('team members', () => {
  test('are owners, admins and agents, once each, sorted by name', async ({
    teammates,
    workspaceId,
    teams,
    createTeam,
    listTeams,
  }) => {
    const id = await createTeam();
    for (const { id: userId } of [teammates.owner, teammates.agent, teammates.admin, teammates.agent]) {
      await teams.addMember({ id, userId });
    }
    const [team] = await listTeams();
    expect(team?.members.map(({ name }) => name)).toEqual(['Adam Admin', 'Aggie Agent', 'Olivia Owen']);
    await teams.removeMember({ id, userId: teammates.agent.id });
    await teams.removeMember({ id, userId: teammates.agent.id });
    expect((await listTeams())[0]?.members.map(({ name }) => name)).toEqual(['Adam Admin', 'Olivia Owen']);
    const of = ({ id: teammateId, name: teammateName }: { id: string; name: string }) => ({
      ...{ teamId: id, teamName: 'Billing', teammateId, teammateName },
    });
    expect((await auditedTeams(workspaceId)).slice(1)).toEqual([
      { kind: 'team_member_added', data: of(teammates.owner) },
      { kind: 'team_member_added', data: of(teammates.agent) },
      { kind: 'team_member_added', data: of(teammates.admin) },
      { kind: 'team_member_removed', data: of(teammates.agent) },
    ]);
  });

  test('cannot be viewers, outsiders or teammates who become viewers', async ({
    teammates,
    workspaceId,
    teams,
    createTeam,
    listTeams,
  }) => {
    const id = await createTeam();
    const abroad = await makeTeammates();
    for (const userId of [teammates.viewer.id, abroad.agent.id, 'nobody']) {
      expect(await errorsOf(teams.addMember({ id, userId }))).toEqual({
        userId: ['Choose a teammate of this workspace who can take conversations.'],
      });
    }
    await teams.addMember({ id, userId: teammates.agent.id });
    await setRole({ workspaceId, userId: teammates.agent.id, role: 'viewer', by: teammates.owner });
    expect((await listTeams())[0]?.members).toEqual([]);
    expect((await teams.get()).teammates.map(({ name }) => name)).toEqual(['Adam Admin', 'Olivia Owen']);
  });
});

test("the count of a team's conversations excludes merged and test ones, up to 999", async ({
  workspaceId,
  createTeam,
  listTeams,
}) => {
  const id = await createTeam();
  const [into = ''] = await giveConversations(workspaceId, id, 1);
  await giveConversations(workspaceId, id, 1, { mergedIntoId: into });
  await giveConversations(workspaceId, id, 1, { isTest: true });
  expect((await listTeams())[0]?.conversations).toEqual({ count: 1, more: false });
  await giveConversations(workspaceId, id, 999);
  expect((await listTeams())[0]?.conversations).toEqual({ count: 999, more: true });
});
