import { describe, expect } from 'vitest';
import { removeTeam } from '#server/administration/teams/delete-team.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { auditedTeams, giveConversations } from '#test/fixtures/team-rows.ts';
import { test } from '#test/fixtures/teams-test.ts';
import { until } from '#test/fixtures/until.ts';

test.beforeEach(forgetJobs);

describe('a deleted team', () => {
  test('is removed from its conversations, with a timeline entry each', async ({
    api,
    teammates,
    workspaceId,
    teams,
    createTeam,
  }) => {
    const id = await createTeam();
    await teams.addMember({ id, userId: teammates.agent.id });
    const [open] = await giveConversations(workspaceId, id, 1);
    const [closed] = await giveConversations(workspaceId, id, 1, { status: 'closed' });
    const [merged] = await giveConversations(workspaceId, id, 1, { mergedIntoId: open });
    const before = await db().conversation.findUniqueOrThrow({ where: { id: open ?? '' } });
    await teams.delete({ id });
    expect(await db().team.count({ where: { workspaceId } })).toBe(0);
    expect(await db().conversation.count({ where: { workspaceId, teamId: { not: null } } })).toBe(0);
    const entries = await db().timelineEntry.findMany({ where: { workspaceId } });
    expect(entries.map(({ conversationId }) => conversationId).sort()).toEqual([open, closed].sort());
    expect(merged).toBeDefined();
    for (const entry of entries) {
      expect(entry).toMatchObject({
        kind: 'team_removed',
        actorId: teammates.admin.id,
        data: { teamName: 'Billing' },
      });
    }
    const after = await db().conversation.findUniqueOrThrow({ where: { id: open ?? '' } });
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    expect((await api('GET', '/teams')).body).toEqual([]);
    expect((await auditedTeams(workspaceId)).at(-1)).toEqual({
      kind: 'team_deleted',
      data: { teamId: id, teamName: 'Billing' },
    });
    expect((await queuedJobs()).filter(({ task }) => task === 'remove-team')).toEqual([]);
    expect(await db().event.count({ where: { workspaceId } })).toBe(0);
    expect(await errorsOf(teams.delete({ id }))).toBe(NOT_FOUND);
    await createTeam();
  });

  test('disappears immediately from lists, records and PATCH, even with thousands of conversations', async ({
    api,
    teammates,
    workspaceId,
    screensOf,
    teams,
    createTeam,
    listTeams,
  }) => {
    const id = await createTeam();
    await teams.addMember({ id, userId: teammates.agent.id });
    await giveConversations(workspaceId, id, 2_300);
    await teams.delete({ id });
    const [left, ...more] = await db().conversation.findMany({ where: { teamId: id }, take: 2 });
    if (!left) throw new Error('No conversation is left.');
    expect(more).toHaveLength(1);
    expect((await api('GET', '/teams')).body).toEqual([]);
    const path = `/conversations/${left.id}`;
    expect(await api('PATCH', path, { team_id: id })).toMatchObject({
      status: 422,
      body: { errors: { team_id: [expect.any(String)] } },
    });
    expect(await api('PATCH', path, { priority: 'high' })).toMatchObject({
      status: 200,
      body: { team: null },
    });
    const screens = await screensOf('agent');
    const opened = await screens.conversations.get({ id: left.id });
    expect(opened?.conversation).toMatchObject({ team: null });
    expect((await screens.inbox.filterChoices()).teams).toEqual([]);
    expect(opened?.actions.teams).toEqual([]);
    expect(await listTeams()).toEqual([]);
    // The name is free in the meantime, and a new team with it is a different team.
    const other = await createTeam();
    expect(await api('PATCH', path, { team_id: other })).toMatchObject({ body: { team: { id: other } } });
    expect(await db().teamMember.count({ where: { workspaceId } })).toBe(0);
  });

  test('loses thousands of conversations in a job that can be interrupted and run again', async ({
    teammates,
    workspaceId,
    teams,
    createTeam,
  }) => {
    const id = await createTeam();
    await giveConversations(workspaceId, id, 2_300);
    await teams.delete({ id });
    const job = { teamId: id, byId: teammates.admin.id };
    const jobs = async () => (await queuedJobs()).filter(({ task }) => task === 'remove-team');
    expect(await jobs()).toEqual([{ task: 'remove-team', payload: job }]);
    await removeTeam(job, 0);
    expect(await db().conversation.count({ where: { teamId: id } })).toBe(300);
    expect(await jobs()).toHaveLength(2);
    await Promise.all([removeTeam(job), removeTeam(job)]);
    await removeTeam(job);
    expect(await db().team.count({ where: { id } })).toBe(0);
    expect(await db().timelineEntry.count({ where: { workspaceId, kind: 'team_removed' } })).toBe(2_300);
    expect(
      await db().timelineEntry.count({ where: { workspaceId, NOT: { actorId: teammates.admin.id } } }),
    ).toBe(0);
  });

  test('is only removed by its job if it was deleted', async ({ teammates, workspaceId, createTeam }) => {
    const id = await createTeam();
    await giveConversations(workspaceId, id, 1);
    await removeTeam({ teamId: id, byId: teammates.admin.id });
    expect(await db().conversation.count({ where: { teamId: id } })).toBe(1);
  });

  test('waits for a simultaneous assignment and removes that conversation too', async ({
    teammates,
    workspaceId,
    teams,
    createTeam,
  }) => {
    const id = await createTeam();
    const [conversationId = ''] = await giveConversations(workspaceId, id, 1, { teamId: null });
    const holder = await pool().connect();
    await holder.query('begin');
    await holder.query('select from conversations where id = $1 for no key update', [conversationId]);
    const input = updateConversation({
      workspaceId,
      id: conversationId,
      actor: { kind: 'teammate', teammate: teammates.owner },
      changes: { teamId: id },
    });
    await until('it waits for the conversation', async () => (await countLockWaiters()) === 1);
    const deleted = teams.delete({ id });
    await until('the deletion waits for the team', async () => (await countLockWaiters()) === 2);
    await holder.query('commit');
    holder.release();
    expect(await input).toMatchObject({ team: { id } });
    await deleted;
    expect(await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).toMatchObject({
      teamId: null,
    });
    expect(await db().team.count({ where: { id } })).toBe(0);
  });

  test('never fails while conversations are assigned to it at the same time', async ({
    teammates,
    workspaceId,
    teams,
    createTeam,
  }) => {
    const [conversationId = ''] = await giveConversations(workspaceId, await createTeam('Kept'), 1);
    for (let round = 0; round < 6; round += 1) {
      const id = await createTeam(`Round ${round}`);
      const assignment = errorsOf(
        updateConversation({
          workspaceId,
          id: conversationId,
          actor: { kind: 'teammate', teammate: teammates.owner },
          changes: { teamId: id },
        }),
      );
      const responses = await Promise.all([assignment, errorsOf(teams.delete({ id }))]);
      expect(responses[1]).toBeUndefined();
      expect([undefined, { team_id: [expect.any(String)] }]).toContainEqual(responses[0]);
      expect(await db().team.count({ where: { id } })).toBe(0);
    }
  });
});

const NOT_FOUND = 'The team was not found.';
