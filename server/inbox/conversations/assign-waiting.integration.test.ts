import { describe, expect } from 'vitest';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { setRole } from '#server/administration/members/set-role.ts';
import { setTeamAssignment } from '#server/administration/teams/set-team-assignment.ts';
import { db } from '#server/core/database/prisma.ts';
import type { ConversationStatus, TeamAssignment } from '#server/generated/prisma/enums.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { assignWaiting } from '#server/inbox/conversations/assign-waiting.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { timelineOf } from '#test/fixtures/conversations.ts';
import type { Api } from '#test/fixtures/fixture-types.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { giveConversations } from '#test/fixtures/team-rows.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

const test = screensTest
  .extend('members', async ({ workspaceId }) => [
    await addTeammate(workspaceId, 'agent', 'Amara Obi'),
    await addTeammate(workspaceId, 'agent', 'Ben Berg'),
    await addTeammate(workspaceId, 'agent', 'Cleo Cruz'),
  ])
  .extend(
    'makeTeam',
    ({ workspaceId, members }) =>
      async (assignment: TeamAssignment, columns: { assignmentLimit?: number } = {}) => {
        const rows = members.map(({ id: userId }) => ({ userId }));
        const { id } = await db().team.create({
          data: { workspaceId, name: 'Support', assignment, ...columns, members: { create: rows } },
        });
        return id;
      },
  );

test.beforeEach(forgetJobs);

describe('round robin', () => {
  test('assigns conversations that a workflow moves to the team in turn, with event, timeline and notification', async ({
    api,
    connection,
    workspaceId,
    members: [amara, ben, cleo],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const assignees = [];
    let last = '';
    for (let n = 0; n < 4; n += 1) {
      last = await unassigned(workspaceId);
      await move(api, last, teamId);
      expect(await queuedJobs()).toMatchObject([{ task: 'assign-waiting', payload: { teamId } }]);
      await forgetJobs();
      await assignWaiting(teamId);
      assignees.push(await assigneeOf(last));
    }
    expect(assignees).toEqual([amara?.id, ben?.id, cleo?.id, amara?.id]);
    expect(await queuedJobs()).toEqual([]);
    const events = await recordedEventsOf(connection.workspaceId, 'conversation.assigned');
    expect(events).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({
      previous_assignee: null,
      conversation: { id: last, assignee: { id: amara?.id }, team: { id: teamId } },
    });
    const cause = await db().event.findFirstOrThrow({
      where: { workspaceId, key: 'conversation.assigned' },
      select: { actor: true },
    });
    expect(cause.actor).toEqual({ type: 'automation', id: null, name: null });
    expect((await timelineOf(last)).at(-1)).toEqual({
      kind: 'assigned',
      actorKind: 'automatic',
      data: {
        assigneeId: amara?.id,
        assigneeName: 'Amara Obi',
        turn: { by: 'round_robin', teamName: 'Support' },
      },
    });
    expect(await db().notification.count({ where: { userId: amara?.id ?? '', kind: 'assigned' } })).toBe(2);
    expect(await db().waitingAssignment.count({ where: { workspaceId } })).toBe(0);
  });

  test('by parallel jobs of two workers gives each conversation to another member', async ({
    workspaceId,
    members,
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const ids = await waiting(workspaceId, teamId, 15);
    // A job leaves the rest to the next after a time, which a busy machine reaches.
    while (await db().waitingAssignment.findFirst({ where: { workspaceId } }))
      await Promise.all([assignWaiting(teamId), assignWaiting(teamId), assignWaiting(teamId)]);
    const assignees = await Promise.all(ids.map(assigneeOf));
    for (const { id } of members) expect(assignees.filter((each) => each === id)).toHaveLength(5);
    expect(await db().timelineEntry.count({ where: { workspaceId, kind: 'assigned' } })).toBe(15);
  });

  test('beside teammates who move, take and unassign the same conversations leaves none waiting', async ({
    workspaceId,
    teammates: { agent },
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const ids = await waiting(workspaceId, teamId, 12);
    const actor = { kind: 'teammate', teammate: agent } as const;
    const change = (id: string, changes: object) => updateConversation({ workspaceId, id, actor, changes });
    await Promise.all([
      assignWaiting(teamId),
      ...ids.map((id, n) =>
        n % 3 === 0
          ? change(id, { assigneeId: agent.id, teamId })
          : n % 3 === 1
            ? change(id, { teamId: null })
            : change(id, { status: 'solved' }),
      ),
      assignWaiting(teamId),
    ]);
    await assignWaiting(teamId);
    expect(await db().waitingAssignment.count({ where: { workspaceId } })).toBe(0);
    for (const id of ids.filter((_id, n) => n % 3 === 0)) expect(await assigneeOf(id)).toBe(agent.id);
  });
});

describe('least busy', () => {
  test('chooses the fewest open conversations, whatever their team, and takes turns among equals', async ({
    workspaceId,
    members: [amara, ben, cleo],
    makeTeam,
  }) => {
    const teamId = await makeTeam('least_busy');
    const give = (assigneeId: string | undefined, count: number, status: ConversationStatus) =>
      db().conversation.createMany({
        data: Array.from({ length: count }, () => ({
          workspaceId,
          channel: 'email' as const,
          assigneeId: assigneeId ?? '',
          assignedAt: new Date(),
          resolvedAt: new Date(),
          status,
        })),
      });
    await give(amara?.id, 3, 'open');
    await give(ben?.id, 1, 'open');
    await give(ben?.id, 9, 'solved');
    await give(cleo?.id, 2, 'open');
    const ids = await waiting(workspaceId, teamId, 4);
    await assignWaiting(teamId);
    expect(await Promise.all(ids.map(assigneeOf))).toEqual([ben?.id, cleo?.id, ben?.id, amara?.id]);
  });

  test('gives nobody more than the limit, and the rest when one is solved', async ({
    workspaceId,
    members,
    teammates: { agent },
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin', { assignmentLimit: 2 });
    const ids = await waiting(workspaceId, teamId, 7);
    await assignWaiting(teamId);
    const assignees = await Promise.all(ids.map(assigneeOf));
    expect(assignees.slice(0, 6).sort()).toEqual(members.flatMap(({ id }) => [id, id]).sort());
    expect(assignees[6]).toBeNull();
    const actor = { kind: 'teammate', teammate: agent } as const;
    await updateConversation({ workspaceId, id: ids[4] ?? '', actor, changes: { status: 'solved' } });
    await assignWaiting(teamId);
    expect(await assigneeOf(ids[6] ?? '')).toBe(assignees[4]);
  });
});

describe('nobody', () => {
  test('available leaves it unassigned with one timeline entry, until someone is back', async ({
    workspaceId,
    members: [amara, ben],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    await db().member.updateMany({ where: { workspaceId }, data: { awaySince: new Date() } });
    const [first, second] = await waiting(workspaceId, teamId, 2);
    await assignWaiting(teamId);
    await assignWaiting(teamId);
    const entry = { kind: 'nobody_available', actorKind: 'automatic', data: { teamName: 'Support' } };
    expect(await timelineOf(first ?? '')).toEqual([entry]);
    expect(await timelineOf(second ?? '')).toEqual([entry]);
    expect(await queuedJobs()).toMatchObject([{ task: 'assign-waiting', payload: { teamId } }]);
    await db().member.updateMany({
      where: { workspaceId, userId: ben?.id ?? '' },
      data: { awayUntil: new Date(Date.now() - 1_000) },
    });
    await assignWaiting(teamId);
    expect([await assigneeOf(first ?? ''), await assigneeOf(second ?? '')]).toEqual([ben?.id, ben?.id]);
    expect(amara).toBeDefined();
  });

  test('but viewers or former members of the team gets a conversation', async ({
    workspaceId,
    members: [amara, ben, cleo],
    teammates: { owner },
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    await setRole({ workspaceId, userId: amara?.id ?? '', role: 'viewer', by: owner });
    await removeMember({ workspaceId, userId: ben?.id ?? '', by: owner });
    const ids = await waiting(workspaceId, teamId, 2);
    await assignWaiting(teamId);
    expect(await Promise.all(ids.map(assigneeOf))).toEqual([cleo?.id, cleo?.id]);
  });
});

describe('a conversation', () => {
  test('of a team without automatic assignment stays unassigned, and no job is queued', async ({
    api,
    workspaceId,
    makeTeam,
  }) => {
    const teamId = await makeTeam('off');
    const id = await unassigned(workspaceId);
    await move(api, id, teamId);
    expect(await queuedJobs()).toEqual([]);
    expect(await db().waitingAssignment.count({ where: { workspaceId } })).toBe(0);
  });

  test('whose assignee is chosen with the team, or after it, is not assigned to another', async ({
    api,
    workspaceId,
    teammates: { admin },
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const [chosen, nobody, later] = [
      await unassigned(workspaceId),
      await unassigned(workspaceId),
      await unassigned(workspaceId),
    ];
    await move(api, chosen, teamId, { assignee_id: admin.id });
    await move(api, nobody, teamId, { assignee_id: 'none' });
    await move(api, later, teamId);
    await api('PATCH', `/conversations/${later}`, { assignee_id: admin.id });
    await api('PATCH', `/conversations/${later}`, { assignee_id: 'none' });
    await assignWaiting(teamId);
    expect([await assigneeOf(chosen), await assigneeOf(nobody), await assigneeOf(later)]).toEqual([
      admin.id,
      null,
      null,
    ]);
    expect(await db().waitingAssignment.count({ where: { workspaceId } })).toBe(0);
  });

  test.for(['pending', 'solved'] as const)(
    'that is %s waits for nobody, and is assigned when its contact writes again',
    async (status, { workspaceId, members: [amara], makeTeam }) => {
      const teamId = await makeTeam('round_robin');
      const [id = ''] = await giveConversations(workspaceId, teamId, 1, {
        ...SOLVED,
        status,
        channel: 'webchat',
      });
      await receiveMessage(...incoming(workspaceId, { conversationId: id }));
      expect((await queuedJobs()).map(({ task }) => task)).toContain('assign-waiting');
      await assignWaiting(teamId);
      expect(await assigneeOf(id)).toBe(amara?.id);
    },
  );

  test('that an automation moves to the team is assigned after its message', async ({
    workspaceId,
    members: [amara],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    await db().flow.create({
      data: {
        workspaceId,
        name: 'All',
        enabled: true,
        condition: { channels: [], words: [], emailDomain: null },
        actions: { tags: [], assigneeId: null, teamId, status: null },
      },
    });
    const { conversationId } = await receiveMessage(...incoming(workspaceId));
    await assignWaiting(teamId);
    expect(await assigneeOf(conversationId)).toBe(amara?.id);
  });

  test('that the AI agent may answer waits until it does not', async ({
    workspaceId,
    members: [amara],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
    const [id = ''] = await giveConversations(workspaceId, teamId, 1, {
      ...SOLVED,
      channel: 'webchat',
    });
    const { messageId } = await receiveMessage(...incoming(workspaceId, { conversationId: id }));
    await assignWaiting(teamId);
    expect(await assigneeOf(id)).toBeNull();
    await forgetJobs();
    const silent = { answer: async () => ({ kind: 'silent' as const }) };
    await answerContact(silent, { messageId });
    expect(await queuedJobs()).toMatchObject([{ task: 'assign-waiting', payload: { teamId } }]);
    await assignWaiting(teamId);
    expect(await assigneeOf(id)).toBe(amara?.id);
  });

  test('of an assignee who is away goes to another member when its contact writes', async ({
    workspaceId,
    connection,
    members: [amara, ben],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    await db().member.updateMany({
      where: { workspaceId, userId: amara?.id ?? '' },
      data: { awaySince: new Date() },
    });
    const [id = '', other = ''] = await giveConversations(workspaceId, teamId, 2, {
      ...assignedTo(amara),
      channel: 'webchat',
    });
    await receiveMessage(...incoming(workspaceId, { conversationId: id }));
    await assignWaiting(teamId);
    expect([await assigneeOf(id), await assigneeOf(other)]).toEqual([ben?.id, amara?.id]);
    expect((await timelineOf(id)).at(-1)?.data).toMatchObject({
      turn: { insteadOf: 'Amara Obi' },
    });
    const [event] = await recordedEventsOf(connection.workspaceId, 'conversation.assigned');
    expect(event).toMatchObject({ previous_assignee: { id: amara?.id } });
    expect(await db().notification.count({ where: { workspaceId, kind: 'assignee_away' } })).toBe(0);
  });

  test('of an assignee who is away stays theirs when nobody else is available, and owners and admins are notified', async ({
    workspaceId,
    teammates: { owner, admin },
    members: [amara],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const agents = { workspaceId, role: 'agent' as const };
    await db().member.updateMany({ where: agents, data: { awaySince: new Date() } });
    const columns = { ...assignedTo(amara), channel: 'webchat' };
    const [id = ''] = await giveConversations(workspaceId, teamId, 1, columns);
    await receiveMessage(...incoming(workspaceId, { conversationId: id }));
    await assignWaiting(teamId);
    await assignWaiting(teamId);
    expect(await assigneeOf(id)).toBe(amara?.id);
    const notified = await db().notification.findMany({ where: { workspaceId, kind: 'assignee_away' } });
    expect(notified.map(({ userId }) => userId).sort()).toEqual([owner.id, admin.id].sort());
  });

  test('of a teammate who is removed goes to another member, if it is open', async ({
    workspaceId,
    teammates: { owner },
    members: [amara, ben],
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const columns = assignedTo(amara);
    const [open = ''] = await giveConversations(workspaceId, teamId, 1, columns);
    const [solved = ''] = await giveConversations(workspaceId, teamId, 1, { ...columns, ...SOLVED });
    await removeMember({ workspaceId, userId: amara?.id ?? '', by: owner });
    expect(await queuedJobs()).toMatchObject([{ task: 'assign-waiting', payload: { teamId } }]);
    await assignWaiting(teamId);
    expect([await assigneeOf(open), await assigneeOf(solved)]).toEqual([ben?.id, null]);
  });

  test('that waits is left unassigned when automatic assignment is turned off or the team is deleted', async ({
    workspaceId,
    teammates: { admin },
    screensOf,
    makeTeam,
  }) => {
    const teamId = await makeTeam('round_robin');
    const [id = ''] = await waiting(workspaceId, teamId, 1);
    await setTeamAssignment({ workspaceId, id: teamId, assignment: 'off', limit: null, by: admin });
    await assignWaiting(teamId);
    expect(await assigneeOf(id)).toBeNull();
    await setTeamAssignment({ workspaceId, id: teamId, assignment: 'least_busy', limit: 5, by: admin });
    await waiting(workspaceId, teamId, 1);
    await (await screensOf('admin')).teams.delete({ id: teamId });
    await assignWaiting(teamId);
    expect(await db().waitingAssignment.count({ where: { workspaceId } })).toBe(0);
    expect(await db().timelineEntry.count({ where: { workspaceId, kind: 'assigned' } })).toBe(0);
  });
});

const SOLVED = { status: 'solved', resolvedAt: new Date() } as const;

function assignedTo(teammate: { id: string } | undefined) {
  return { assigneeId: teammate?.id, assignedAt: new Date() };
}

/** Creates a conversation without a team and an assignee. */
async function unassigned(workspaceId: string): Promise<string> {
  const { id } = await db().conversation.create({
    data: { workspaceId, channel: 'email', subject: 'Order' },
  });
  return id;
}

async function move(api: Api, id: string, teamId: string, more: object = {}): Promise<void> {
  const { status } = await api('PATCH', `/conversations/${id}`, { team_id: teamId, ...more });
  expect(status).toBe(200);
}

/** Creates open conversations of a team that wait for an assignee. */
async function waiting(workspaceId: string, teamId: string, count: number): Promise<string[]> {
  const ids = (await giveConversations(workspaceId, teamId, count)).sort();
  await db().waitingAssignment.createMany({
    data: ids.map((conversationId) => ({ conversationId, workspaceId, teamId, dueAt: new Date(0) })),
  });
  return ids;
}

async function assigneeOf(id: string): Promise<string | null> {
  return (await db().conversation.findUniqueOrThrow({ where: { id } })).assigneeId;
}
