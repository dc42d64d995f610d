import { describe, expect } from 'vitest';
import { listAlerts } from '#server/administration/notifications/list-alerts.ts';
import { db } from '#server/core/database/prisma.ts';
import { notifyOfNewConversations } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import type { Preferences } from '#server/screens/notification-views.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { publishedTopics } from '#test/fixtures/published-topics.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

type Changes = {
  choices?: Partial<Preferences['choices']>;
  muted?: Partial<Preferences['muted']>;
  quiet?: Preferences['quiet'];
};

/** `prefer` changes some preferences of a teammate. */
const test = screensTest.extend('prefer', ({ screensOf }) => {
  return async (role: 'owner' | 'admin' | 'agent', { choices, muted, quiet = null }: Changes) => {
    const { notifications } = await screensOf(role);
    const before = await notifications.preferences();
    await notifications.savePreferences({
      choices: { ...before.choices, ...choices },
      muted: { ...before.muted, ...muted },
      quiet,
    });
  };
});

describe('notification preferences', () => {
  test('belong to one teammate', async ({ screensOf, prefer }) => {
    const quiet = { from: 1_320, until: 420, timeZone: 'Europe/Berlin' };
    await prefer('owner', { choices: { sound: ['mentioned'] }, quiet });
    const of = async (role: 'owner' | 'agent') => (await screensOf(role)).notifications.preferences();
    expect(await of('owner')).toEqual({
      choices: { ...(await of('agent')).choices, sound: ['mentioned'] },
      muted: { teamIds: [], noTeam: false, channels: [] },
      quiet,
    });
    expect(await of('agent')).toMatchObject({ choices: { sound: [] }, quiet: null });
    await prefer('owner', { choices: { sound: [] } });
    expect(await of('owner')).toEqual(await of('agent'));
  });

  test.for([
    [{ from: 60, until: 60, timeZone: 'UTC' }, 'quietUntil'],
    [{ from: 60, until: -1, timeZone: 'UTC' }, 'quietUntil'],
    [{ from: 60, until: 90, timeZone: 'Mars/Olympus' }, 'timeZone'],
  ] as const)('refuse the quiet hours %o', async ([quiet, field], { prefer }) => {
    await expect(prefer('owner', { quiet })).rejects.toMatchObject({
      cause: { errors: { [field]: [expect.any(String)] } },
    });
  });
});

describe('the bell', () => {
  test('leaves out the kinds that its teammate turned off, and counts only others', async ({
    teammates: { agent, admin },
    screensOf,
    prefer,
    conversation,
  }) => {
    await prefer('agent', { choices: { bell: ['mentioned'] } });
    const { conversations } = await screensOf('owner');
    for (const { id } of [agent, admin])
      await conversations.update({ id: conversation, changes: { assigneeId: id } });
    expect(await (await screensOf('agent')).notifications.list()).toMatchObject({ newest: [], unread: 0 });
    expect(await (await screensOf('admin')).notifications.list()).toMatchObject({
      newest: [{ sentence: 'Olivia Owen assigned “Order” to you.' }],
      unread: 1,
    });
  });
});

describe('a conversation that is new in a team', () => {
  test('notifies the members who turned it on, except its author and its new assignee', async ({
    teammates: { workspaceId, owner, admin, agent },
    screensOf,
    prefer,
  }) => {
    const { id: teamId } = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    await db().teamMember.createMany({
      data: [owner, admin, agent].map((member) => ({ workspaceId, teamId, userId: member.id })),
    });
    for (const role of ['owner', 'agent'] as const)
      await prefer(role, { choices: { bell: ['team_conversation'] } });
    const { conversations } = await screensOf('owner');
    const start = async (assigneeId: string | null) => {
      const { conversationId: id } = await receiveMessage(...incoming(workspaceId));
      await conversations.update({ id, changes: { teamId, assigneeId } });
    };
    await start(null);
    const bell = async (role: 'owner' | 'admin' | 'agent') =>
      (await (await screensOf(role)).notifications.list()).newest.map(({ sentence }) => sentence);
    expect(await bell('agent')).toEqual(['The conversation with Ada Lovelace is new in Billing.']);
    expect([await bell('owner'), await bell('admin')]).toEqual([[], []]);
    await start(agent.id);
    expect(await bell('agent')).toHaveLength(1);
  });
});

describe('a conversation that is new and unassigned', () => {
  test('notifies everyone who can take it in a small workspace, and in a large one those who turned it on', async ({
    teammates,
    screensOf,
    prefer,
  }) => {
    const { workspaceId, owner } = teammates;
    const isOn = async () => (await (await screensOf('agent')).notifications.preferences()).choices.bell;
    expect(await isOn()).toContain('new_conversation');
    await receiveMessage(...incoming(workspaceId));
    await notifyOfNewConversations(workspaceId);
    expect(await unread(workspaceId)).toEqual({ owner: 1, admin: 1, agent: 1 });
    const [alert] = await listAlerts(db(), { workspaceId, userId: owner.id });
    const sentence = 'The conversation with Ada Lovelace is new and unassigned.';
    expect(alert).toMatchObject({ sentence, desktop: true, sound: false });
    for (let n = 0; n < 7; n += 1) await addTeammate(workspaceId, 'agent');
    expect(await isOn()).not.toContain('new_conversation');
    await prefer('admin', { choices: { email: ['new_conversation'] } });
    await receiveMessage(...incoming(workspaceId));
    await notifyOfNewConversations(workspaceId);
    expect(await unread(workspaceId)).toEqual({ owner: 1, admin: 2, agent: 1 });
  });

  test.for<[string, Partial<Incoming>]>([
    ['an automatic email', { channel: 'email', automatic: true }],
    ['a test of the AI agent', { isTest: true }],
  ])('notifies no one when it starts with %s', async ([_what, message], { workspaceId }) => {
    await forgetJobs();
    await receiveMessage(...incoming(workspaceId, message));
    expect((await queuedJobs()).map(({ task }) => task)).not.toContain('notify-of-new-conversations');
    await notifyOfNewConversations(workspaceId);
    expect(await unread(workspaceId)).toEqual({});
  });

  test('queues few jobs, however many start within seconds', async ({ workspaceId }) => {
    await forgetJobs();
    const startedAt = Date.now();
    for (let n = 0; n < 4; n += 1) await receiveMessage(...incoming(workspaceId));
    const jobs = (await queuedJobs()).filter(({ task }) => task === 'notify-of-new-conversations');
    expect(jobs[0]).toEqual({ task: 'notify-of-new-conversations', payload: { workspaceId } });
    // One for each five seconds.
    expect(jobs.length).toBeLessThanOrEqual(Math.floor((Date.now() - startedAt) / 5_000) + 2);
  });

  test.for<[string, Changed]>([
    ['takes it', { assigneeId: 'agent' }],
    ['solves it', { status: 'solved' }],
    ['sets it to pending', { status: 'pending' }],
    ['marks it as spam', 'spam'],
    ['answers it', 'reply'],
  ])(
    'notifies no one after someone %s, and ends the notifications of the others',
    async ([_what, changed], { teammates, screensOf }) => {
      const { workspaceId, agent } = teammates;
      await db().workspace.update({ where: { id: workspaceId }, data: { assignOnReply: false } });
      const { conversations, removed } = await screensOf('agent');
      const change = async (id: string) => {
        if (changed === 'spam') await removed.markSpam({ id, block: null });
        else if (changed === 'reply')
          await sendReply({
            workspaceId,
            id,
            actor: { kind: 'teammate', teammate: agent },
            content: 'Hello',
          });
        else
          await conversations.update({
            id,
            changes: { ...changed, ...(changed.assigneeId ? { assigneeId: agent.id } : {}) },
          });
      };
      const early = await receiveMessage(...incoming(workspaceId));
      await change(early.conversationId);
      await notifyOfNewConversations(workspaceId);
      expect(await unread(workspaceId)).toEqual({});
      const late = await receiveMessage(...incoming(workspaceId));
      await Promise.all([notifyOfNewConversations(workspaceId), notifyOfNewConversations(workspaceId)]);
      expect(await unread(workspaceId)).toEqual({ owner: 1, admin: 1, agent: 1 });
      expect(await publishedTopics(workspaceId, () => change(late.conversationId))).toContain(
        'notifications',
      );
      expect(await unread(workspaceId)).toEqual({});
    },
  );

  test('notifies once, also if it is solved without a reply and its contact writes again', async ({
    workspaceId,
    screensOf,
  }) => {
    const { conversationId } = await receiveMessage(...incoming(workspaceId));
    await notifyOfNewConversations(workspaceId);
    const { conversations } = await screensOf('agent');
    await conversations.update({ id: conversationId, changes: { status: 'solved' } });
    await receiveMessage(...incoming(workspaceId, { conversationId }));
    await notifyOfNewConversations(workspaceId);
    const kind = 'new_conversation';
    expect(await db().notification.count({ where: { conversationId, kind } })).toBe(3);
  });

  test('notifies only the teammates who chose its team and its channel', async ({ workspaceId, prefer }) => {
    const { id: teamId } = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    await prefer('owner', { muted: { channels: ['webchat'] } });
    await prefer('admin', { muted: { teamIds: [teamId, 'unknown'] } });
    await prefer('agent', { muted: { noTeam: true } });
    await receiveMessage(...incoming(workspaceId));
    await notifyOfNewConversations(workspaceId);
    expect(await unread(workspaceId)).toEqual({ admin: 1 });
    const { conversationId: id } = await receiveMessage(...incoming(workspaceId, { channel: 'email' }));
    await db().conversation.update({ where: { id }, data: { teamId } });
    await notifyOfNewConversations(workspaceId);
    expect(await unread(workspaceId)).toEqual({ owner: 1, admin: 1, agent: 1 });
  });

  test('is one of at most five unread notifications, and the last one counts the others', async ({
    workspaceId,
    screensOf,
  }) => {
    const started: string[] = [];
    const start = async () => started.push((await receiveMessage(...incoming(workspaceId))).conversationId);
    for (let n = 0; n < 8; n += 1) await start();
    await Promise.all([1, 2].map(() => notifyOfNewConversations(workspaceId)));
    await start();
    await notifyOfNewConversations(workspaceId);
    const { notifications, conversations } = await screensOf('agent');
    const { newest, unread: found } = await notifications.list();
    expect(found).toBe(5);
    expect(newest.filter(({ sentence }) => sentence.includes('3 other conversations'))).toHaveLength(1);
    expect(newest.map(({ href }) => href).sort()).toEqual(
      started
        .slice(0, 5)
        .map((id) => `/inbox?selected=${id}`)
        .sort(),
    );
    for (const id of started.slice(0, 2)) await conversations.update({ id, changes: { status: 'solved' } });
    expect((await notifications.list()).unread).toBe(3);
    await notifyOfNewConversations(workspaceId);
    expect((await notifications.list()).unread).toBe(5);
  });
});

describe('a conversation that is new and unassigned, but hidden from a teammate', () => {
  test('does not take the place of one that they see, and is not counted', async ({
    teammates: { workspaceId, agent },
    screensOf,
  }) => {
    await db().limitedSource.create({ data: { workspaceId } });
    const start = (message: Partial<Incoming>) => receiveMessage(...incoming(workspaceId, message));
    for (let n = 0; n < 6; n += 1) await start({ channel: 'webchat' });
    await notifyOfNewConversations(workspaceId);
    const { conversationId: id } = await start({ channel: 'email' });
    await notifyOfNewConversations(workspaceId);
    const bell = (await screensOf('agent')).notifications;
    expect(await bell.list()).toMatchObject({
      newest: [{ sentence: 'The conversation with Ada Lovelace is new and unassigned.' }],
      unread: 1,
    });
    expect(await unread(workspaceId)).toEqual({ owner: 5, admin: 5, agent: 1 });

    // Hidden since then.
    await db().notification.updateMany({ where: { userId: agent.id }, data: { readAt: new Date() } });
    for (let n = 0; n < 5; n += 1) await start({ channel: 'email' });
    await notifyOfNewConversations(workspaceId);
    const mailboxes = { workspaceId, channel: 'email' as const, id: { not: id } };
    await db().conversation.updateMany({ where: mailboxes, data: { channel: 'webchat' } });
    await start({ channel: 'email' });
    await notifyOfNewConversations(workspaceId);
    expect(await bell.list()).toMatchObject({ unread: 1 });
  });
});

test.for<[string, Change, number]>([
  ['assigned to another teammate', { assigneeId: 'admin' }, 0],
  ['assigned to no one', { assigneeId: null }, 0],
  ['solved', { status: 'solved' }, 0],
  ['pending', { status: 'pending' }, 1],
])(
  'a conversation that is %s leaves the earlier assignment as %j with %i unread',
  async ([_what, changed, expected], { teammates, screensOf, conversation: id }) => {
    const { workspaceId } = teammates;
    const { conversations } = await screensOf('owner');
    const assigneeOf = (role: 'agent' | 'admin' | null | undefined) => (role ? teammates[role].id : role);
    await conversations.update({ id, changes: { assigneeId: teammates.agent.id } });
    expect(await unread(workspaceId)).toEqual({ agent: 1 });
    const { assigneeId, ...rest } = changed;
    await conversations.update({
      id,
      changes: { ...rest, ...(assigneeId === undefined ? {} : { assigneeId: assigneeOf(assigneeId) }) },
    });
    expect((await unread(workspaceId)).agent ?? 0).toBe(expected);
  },
);

type Change = { assigneeId?: 'agent' | 'admin' | null; status?: 'solved' | 'pending' };
type Changed = Change | 'spam' | 'reply';

describe('alerts', () => {
  test('are new unread notifications of the kinds that a teammate chose, each as they chose', async ({
    teammates: { workspaceId, agent },
    screensOf,
    prefer,
    conversation,
  }) => {
    const { conversations } = await screensOf('owner');
    await conversations.update({ id: conversation, changes: { assigneeId: agent.id } });
    const alerts = async () => (await screensOf('agent')).notifications.alerts();
    expect(await alerts()).toEqual([
      {
        id: expect.any(String),
        sentence: 'Olivia Owen assigned “Order” to you.',
        href: `/inbox?selected=${conversation}`,
        ageMs: expect.any(Number),
        desktop: true,
        sound: false,
      },
    ]);
    await prefer('agent', { choices: { desktop: [], sound: ['assigned'] } });
    expect(await alerts()).toMatchObject([{ desktop: false, sound: true }]);
    const later = new Date(Date.now() + 61_000);
    expect(await listAlerts(db(), { workspaceId, userId: agent.id, now: later })).toEqual([]);
    await (await screensOf('agent')).notifications.markConversationRead({ conversationId: conversation });
    expect(await alerts()).toEqual([]);
  });

  test('pause during quiet hours', async ({
    teammates: { workspaceId, agent },
    screensOf,
    prefer,
    conversation,
  }) => {
    const { conversations } = await screensOf('owner');
    await conversations.update({ id: conversation, changes: { assigneeId: agent.id } });
    const hour = new Date().getUTCHours();
    const quiet = { from: hour * 60, until: ((hour + 2) % 24) * 60, timeZone: 'UTC' };
    await prefer('agent', { quiet });
    expect(await listAlerts(db(), { workspaceId, userId: agent.id })).toEqual([]);
    await prefer('agent', { quiet: { ...quiet, from: quiet.until, until: quiet.from } });
    expect(await listAlerts(db(), { workspaceId, userId: agent.id })).toHaveLength(1);
  });
});

/** Returns the number of unread notifications by role, without teammates who have none. */
async function unread(workspaceId: string): Promise<Record<string, number>> {
  const rows = await db().notification.findMany({ where: { workspaceId, readAt: null } });
  const members = await db().member.findMany({ where: { workspaceId } });
  const counts: Record<string, number> = {};
  for (const { userId } of rows) {
    const role = members.find((member) => member.userId === userId)?.role ?? 'none';
    counts[role] = (counts[role] ?? 0) + 1;
  }
  return counts;
}
