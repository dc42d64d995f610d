import { describe, expect } from 'vitest';
import { listAlerts } from '#server/administration/notifications/list-alerts.ts';
import { db } from '#server/core/database/prisma.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import type { Preferences } from '#server/screens/notification-views.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

type Changes = { choices?: Partial<Preferences['choices']>; quiet?: Preferences['quiet'] };

/** `prefer` changes some preferences of a teammate. */
const test = screensTest.extend('prefer', ({ screensOf }) => {
  return async (role: 'owner' | 'admin' | 'agent', { choices, quiet = null }: Changes) => {
    const { notifications } = await screensOf(role);
    const before = await notifications.preferences();
    await notifications.savePreferences({ choices: { ...before.choices, ...choices }, quiet });
  };
});

describe('notification preferences', () => {
  test('belong to one teammate', async ({ screensOf, prefer }) => {
    const quiet = { from: 1_320, until: 420, timeZone: 'Europe/Berlin' };
    await prefer('owner', { choices: { sound: ['mentioned'] }, quiet });
    const of = async (role: 'owner' | 'agent') => (await screensOf(role)).notifications.preferences();
    expect(await of('owner')).toEqual({
      choices: { ...(await of('agent')).choices, sound: ['mentioned'] },
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
