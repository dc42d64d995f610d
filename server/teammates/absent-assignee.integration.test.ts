import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { createFlow } from '#server/inbox/flows/change-flows.ts';
import { runCausedFlows } from '#server/inbox/flows/run-caused-flows.ts';
import { NOTIFICATION_CHANNELS } from '#server/teammates/notification-kinds.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

// Who learns that a contact wrote while the assignee is away.

const test = screensTest
  .extend('amara', ({ workspaceId }) => addTeammate(workspaceId, 'agent', 'Amara Obi'))
  .extend('ben', ({ workspaceId }) => addTeammate(workspaceId, 'agent', 'Ben Berg'))
  .extend('teamId', async ({ workspaceId, amara, ben }) => {
    const members = { create: [{ userId: amara.id }, { userId: ben.id }] };
    return (await db().team.create({ data: { workspaceId, name: 'Support', members } })).id;
  })
  .extend('assigned', ({ workspaceId, amara }) => async (teamId: string | null) => {
    const columns = { assigneeId: amara.id, assignedAt: new Date(), teamId };
    const data = { workspaceId, channel: 'webchat' as const, ...columns };
    return (await db().conversation.create({ data })).id;
  })
  .extend(
    'setAway',
    ({ workspaceId }) =>
      (userId: string, until: Date | null = null) =>
        db().member.update({
          where: { workspaceId_userId: { workspaceId, userId } },
          data: { awaySince: new Date(), awayUntil: until },
        }),
  );

test('available members of the team learn it once, until they have read it, with the end of the absence', async ({
  workspaceId,
  amara,
  ben,
  teamId,
  assigned,
  setAway,
}) => {
  const until = new Date('2099-12-07T00:00:00+09:00');
  await setAway(amara.id, until);
  const id = await assigned(teamId);
  for (let n = 0; n < 3; n += 1) await receiveMessage(...incoming(workspaceId, { conversationId: id }));
  const [notification, ...more] = await notified(workspaceId);
  expect(notification).toMatchObject({
    userId: ben.id,
    conversationId: id,
    data: { assigneeName: 'Amara Obi' },
  });
  expect(more).toEqual([]);
  await db().notification.updateMany({ where: { userId: ben.id }, data: { readAt: new Date() } });
  await receiveMessage(...incoming(workspaceId, { conversationId: id }));
  expect(await notified(workspaceId)).toHaveLength(2);
  expect(await db().notification.count({ where: { userId: amara.id, kind: 'contact_wrote' } })).toBe(4);
});

test('the bell names conversation, assignee and the day of return, and taking the conversation ends it', async ({
  workspaceId,
  amara,
  teammates: { agent },
  teamId,
  assigned,
  setAway,
  screensOf,
}) => {
  await setAway(amara.id, new Date('2099-12-07T00:00:00+09:00'));
  await db().teamMember.create({ data: { workspaceId, teamId, userId: agent.id } });
  const id = await assigned(teamId);
  await receiveMessage(...incoming(workspaceId, { conversationId: id }));
  const bell = async () => (await (await screensOf('agent')).notifications.list()).newest;
  expect(await bell()).toMatchObject([
    {
      sentence: 'There is a new message in a conversation. Amara Obi is away until 7 Dec 2099.',
      isRead: false,
    },
  ]);
  const actor = { kind: 'teammate', teammate: agent } as const;
  await updateConversation({ workspaceId, id, actor, changes: { assigneeId: agent.id } });
  expect(await bell()).toMatchObject([{ isRead: true }]);
});

test('others learn of a message after which an automation assigns its conversation to someone who is away', async ({
  workspaceId,
  teammates: { owner },
  amara,
  ben,
  teamId,
  setAway,
}) => {
  const assigns = { ...FLOW_FORM, channels: [], words: '', emailDomain: '', tags: '', status: '' };
  for (const trigger of ['conversation_started', 'message_received'])
    await createFlow({ ...assigns, workspaceId, by: owner, trigger, assigneeId: amara.id, teamId });
  await receiveMessage(...incoming(workspaceId));
  expect(await notified(workspaceId)).toEqual([]);
  await setAway(amara.id);
  const { conversationId } = await receiveMessage(...incoming(workspaceId));
  expect(await notified(workspaceId)).toMatchObject([{ userId: ben.id, conversationId }]);
  const unassigned = { assigneeId: null, assignedAt: null, teamId: null };
  await db().conversation.update({ where: { id: conversationId }, data: unassigned });
  await db().notification.updateMany({ where: { userId: ben.id }, data: { readAt: new Date() } });
  await receiveMessage(...incoming(workspaceId, { conversationId }));
  for (const { id } of await db().flowCause.findMany({ where: { workspaceId } }))
    await runCausedFlows({ causeId: id });
  expect(await notified(workspaceId)).toHaveLength(2);
});

test('nobody else learns it while the assignee is there, or for a reply in spam', async ({
  workspaceId,
  amara,
  teamId,
  assigned,
  setAway,
}) => {
  await receiveMessage(...incoming(workspaceId, { conversationId: await assigned(teamId) }));
  await setAway(amara.id);
  const spam = await assigned(teamId);
  const removed = { removal: 'spam' as const, removedAt: new Date() };
  await db().conversation.update({ where: { id: spam }, data: removed });
  await receiveMessage(...incoming(workspaceId, { conversationId: spam }));
  expect(await notified(workspaceId)).toEqual([]);
});

test('without an available member of a team, available owners and admins learn it, or all of them if none is', async ({
  workspaceId,
  teammates: { owner, admin },
  amara,
  ben,
  teamId,
  assigned,
  setAway,
}) => {
  await setAway(amara.id);
  await setAway(ben.id);
  await setAway(owner.id);
  await receiveMessage(...incoming(workspaceId, { conversationId: await assigned(teamId) }));
  expect((await notified(workspaceId)).map(({ userId }) => userId)).toEqual([admin.id]);
  await setAway(admin.id);
  await receiveMessage(...incoming(workspaceId, { conversationId: await assigned(null) }));
  const [, ...second] = await notified(workspaceId);
  expect(second.map(({ userId }) => userId).sort()).toEqual([owner.id, admin.id].sort());
});

test('those who turned these notifications off do not learn it', async ({
  workspaceId,
  amara,
  ben,
  teamId,
  assigned,
  setAway,
}) => {
  await setAway(amara.id);
  const off = { bell: ['contact_wrote'], desktop: [], push: ['contact_wrote'], sound: [], email: [] };
  await db().notificationPreference.create({ data: { workspaceId, userId: ben.id, ...off } });
  await receiveMessage(...incoming(workspaceId, { conversationId: await assigned(teamId) }));
  expect(await notified(workspaceId)).toEqual([]);
});

test('whoever wants these notifications on one channel only learns it', async ({
  workspaceId,
  amara,
  ben,
  teamId,
  assigned,
  setAway,
}) => {
  await setAway(amara.id);
  const none = { bell: [], desktop: [], push: [], sound: [], email: [] };
  const where = { workspaceId_userId: { workspaceId, userId: ben.id } };
  await db().notificationPreference.create({ data: { workspaceId, userId: ben.id, ...none } });
  for (const channel of NOTIFICATION_CHANNELS) {
    await db().notificationPreference.update({ where, data: { ...none, [channel]: ['assignee_away'] } });
    const id = await assigned(teamId);
    await receiveMessage(...incoming(workspaceId, { conversationId: id }));
    const those = await notified(workspaceId);
    expect(
      those.map(({ conversationId }) => conversationId),
      channel,
    ).toContain(id);
  }
});

function notified(workspaceId: string) {
  return db().notification.findMany({
    where: { workspaceId, kind: 'assignee_away' },
    orderBy: { createdAt: 'asc' },
  });
}
