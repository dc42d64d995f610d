import { describe, expect, onTestFinished } from 'vitest';
import { DEVICES_MAX } from '#server/administration/notifications/push-devices.ts';
import { sendPush } from '#server/administration/notifications/send-push.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { PREFERENCE_KINDS } from '#server/teammates/notification-kinds.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { startPushService } from '#test/servers/push-service.ts';

const test = serviceTest
  .extend('settings', { scope: 'file' }, () => ({ PUSH_PRIVATE_HOSTS: '127.0.0.1' }))
  .extend('desk', ({ service: _ }) => openDesk());

describe('a push notification', () => {
  test('is queued with the notification, and reaches each device of the teammate once, even if jobs run in parallel', async ({
    desk: { push, addDevice, notify, jobs, conversationId, workspaceId },
  }) => {
    await addDevice();
    await addDevice();
    const id = await notify({ kind: 'mentioned' });
    expect(await jobs(id)).toBe(1);
    await Promise.all([sendPush(id), sendPush(id), sendPush(id)]);
    await sendPush(id);
    expect(new Set(push.received.map(({ device }) => device)).size).toBe(2);
    expect(push.received).toHaveLength(2);
    expect(push.received[0]).toMatchObject({
      content: {
        id,
        workspaceId,
        title: 'Acme',
        body: 'Olivia Owen mentioned you in a note to “Order”.',
        href: `/inbox?selected=${conversationId}`,
        unread: 1,
      },
      topic: conversationId.replaceAll('-', ''),
      ttl: 43_200,
      urgency: 'high',
    });
  });

  test('is queued for no one without a device', async ({ desk: { notify, jobs } }) => {
    expect(await jobs(await notify())).toBe(0);
  });

  test.for(PREFERENCE_KINDS)(
    'of the kind %s is sent only if the teammate wants it',
    async (kind, { desk }) => {
      const { push, addDevice, notify, screens } = desk;
      await addDevice();
      const { notifications } = await screens();
      const { choices, muted, quiet } = await notifications.preferences();
      await notifications.savePreferences({ choices: { ...choices, push: [kind] }, muted, quiet });
      const others = PREFERENCE_KINDS.filter((each) => each !== kind);
      for (const each of PREFERENCE_KINDS) await sendPush(await notify({ kind: each }));
      expect(push.received).toHaveLength(1);
      await notifications.savePreferences({ choices: { ...choices, push: others }, muted, quiet });
      await sendPush(await notify({ kind }));
      expect(push.received).toHaveLength(1);
    },
  );

  test.for<[string, (desk: Desk, id: string) => Promise<unknown>]>([
    ['was read', (_desk, id) => db().notification.update({ where: { id }, data: { readAt: new Date() } })],
    [
      'is about a conversation that the teammate no longer sees',
      async ({ agent, conversationId }) => {
        await db().conversation.update({
          where: { id: conversationId },
          data: { assigneeId: null, assignedAt: null },
        });
        await db().member.updateMany({ where: { userId: agent.id }, data: { onlyAssigned: true } });
      },
    ],
    [
      'is about a deleted conversation',
      ({ conversationId }) =>
        db().conversation.update({
          where: { id: conversationId },
          data: { removal: 'deleted', removedAt: new Date() },
        }),
    ],
    [
      'waited for more than an hour',
      (_desk, id) =>
        db().notification.update({ where: { id }, data: { createdAt: new Date(Date.now() - 3_700_000) } }),
    ],
    [
      'is for a teammate who is away',
      ({ agent }) => db().member.updateMany({ where: { userId: agent.id }, data: { awaySince: new Date() } }),
    ],
    [
      'is for a teammate who left',
      async ({ agent, workspaceId, conversationId }) => {
        const unassigned = { assigneeId: null, assignedAt: null };
        await db().conversation.update({ where: { id: conversationId }, data: unassigned });
        await db().member.delete({ where: { workspaceId_userId: { workspaceId, userId: agent.id } } });
      },
    ],
    [
      'is for a device that signed out',
      ({ agent }) => db().session.deleteMany({ where: { userId: agent.id } }),
    ],
    [
      'is for a session that has expired',
      ({ agent }) =>
        db().session.updateMany({ where: { userId: agent.id }, data: { expiresAt: new Date(0) } }),
    ],
    [
      'is from a workspace that requires a second factor, which the teammate does not have',
      ({ workspaceId }) =>
        db().workspace.update({ where: { id: workspaceId }, data: { secondFactorFrom: new Date(0) } }),
    ],
  ])('is not sent when it %s', async ([, change], { desk }) => {
    await desk.addDevice();
    const id = await desk.notify();
    await change(desk, id);
    await sendPush(id);
    expect(desk.push.requests()).toBe(0);
  });

  test('counts on the badge what the bell counts', async ({ desk: { push, addDevice, notify, screens } }) => {
    await addDevice();
    const { notifications } = await screens();
    const { choices, muted, quiet } = await notifications.preferences();
    const bell = choices.bell.filter((kind) => kind !== 'contact_wrote');
    await notifications.savePreferences({ choices: { ...choices, bell }, muted, quiet });
    await notify({ kind: 'contact_wrote' });
    await notify({ kind: 'mentioned' });
    await sendPush(await notify());
    expect((await notifications.list()).unread).toBe(2);
    expect(push.received.map(({ content }) => content.unread)).toEqual([2]);
  });

  test('is not sent in quiet hours', async ({ desk: { push, addDevice, notify, screens } }) => {
    await addDevice();
    const { notifications } = await screens();
    const { choices, muted } = await notifications.preferences();
    const hour = new Date().getUTCHours();
    const quiet = { from: hour * 60, until: ((hour + 2) % 24) * 60, timeZone: 'UTC' };
    await notifications.savePreferences({ choices, muted, quiet });
    await sendPush(await notify());
    expect(push.requests()).toBe(0);
  });

  test.for([429, 500, 503])(
    'is sent again later after a status %i, and then once',
    async (status, { desk }) => {
      const { push, addDevice, notify } = desk;
      await addDevice();
      const id = await notify();
      push.respond(() => status);
      await expect(sendPush(id)).rejects.toThrow('did not accept');
      push.respond(() => 201);
      await Promise.all([sendPush(id), sendPush(id)]);
      expect(push.received).toHaveLength(1);
    },
  );

  test('leaves a device whose push service refuses this server, for example because of a wrong clock', async ({
    desk: { push, addDevice, notify, devices },
  }) => {
    await addDevice();
    push.respond(() => 401);
    await sendPush(await notify());
    expect(push.received).toEqual([]);
    expect(await devices()).toHaveLength(1);
  });

  test('removes a device whose subscription has ended, and reaches the others', async ({ desk }) => {
    const { push, addDevice, notify, devices } = desk;
    await addDevice();
    await addDevice();
    let requests = 0;
    push.respond(() => {
      requests += 1;
      return requests === 1 ? 410 : 201;
    });
    await sendPush(await notify());
    expect(push.received).toHaveLength(1);
    expect(await devices()).toHaveLength(1);
  });
});

describe('the devices of a teammate', () => {
  test('are at most ten: a further one replaces the oldest', async ({ desk: { addDevice, devices } }) => {
    await addDevice();
    const [oldest] = await devices();
    for (let n = 0; n < DEVICES_MAX; n += 1) await addDevice();
    const left = await devices();
    expect(left).toHaveLength(DEVICES_MAX);
    expect(left.map(({ id }) => id)).not.toContain(oldest?.id);
  });

  test('are listed and removed by their teammate only', async ({
    desk: { addDevice, screens, ownerScreens },
  }) => {
    const own = await addDevice();
    const [device] = await (await own()).notifications.devices();
    expect(device).toMatchObject({ device: 'an unknown browser', isCurrent: true, lastUsedAt: null });
    const owner = (await ownerScreens()).notifications;
    expect(await owner.devices()).toEqual([]);
    await owner.removeDevice({ id: device?.id ?? '' });
    const { notifications } = await screens();
    expect(await notifications.devices()).toHaveLength(1);
    await notifications.removeDevice({ id: device?.id ?? '' });
    expect(await notifications.devices()).toEqual([]);
  });

  test('get a test notification, and are removed when it fails for good', async ({
    desk: { push, addDevice },
  }) => {
    const { notifications } = await (await addDevice())();
    await notifications.testDevice();
    expect(push.received).toMatchObject([
      {
        content: {
          workspaceId: null,
          body: 'Push notifications work on this device.',
          href: '/settings/notifications',
        },
      },
    ]);
    push.respond(() => 410);
    await expect(notifications.testDevice()).rejects.toThrow('Turn push notifications on again');
    expect(await notifications.devices()).toEqual([]);
  });
});

test.for([
  'http://push.example.com/1',
  'https://192.168.1.7/1',
  'https://[::1]/1',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/1',
  'https://user:password@push.example.com/1',
  'file:///etc/passwd',
  'nothing',
])(
  'an attacker cannot make the service send requests to %s',
  async (endpoint, { desk: { push, screens, devices } }) => {
    const { notifications } = await screens();
    const subscription = { ...push.subscribe(), endpoint };
    await expect(notifications.addDevice(subscription)).rejects.toThrow();
    expect(await devices()).toEqual([]);
  },
);

type Desk = Awaited<ReturnType<typeof openDesk>>;

async function openDesk() {
  const push = await startPushService();
  onTestFinished(() => push.stop());
  const { workspaceId, agent, owner } = await makeTeammates();
  const conversationId = await makeConversation({ workspaceId, teammate: agent });
  await db().conversation.update({
    where: { id: conversationId },
    data: { assigneeId: agent.id, assignedAt: new Date() },
  });
  await db().notification.deleteMany();

  /** Signs the agent in on another device that gets push notifications. Returns its screens. */
  async function addDevice() {
    const screens = await signInTeammate(agent);
    await (await screens()).notifications.addDevice(push.subscribe());
    return screens;
  }

  async function notify({ kind = 'assigned' }: { kind?: string } = {}): Promise<string> {
    const { id } = await db().notification.create({
      data: { workspaceId, userId: agent.id, kind, conversationId, data: contentOf(kind, conversationId) },
    });
    return id;
  }

  return {
    push,
    workspaceId,
    agent,
    conversationId,
    addDevice,
    notify,
    screens: await signInTeammate(agent),
    ownerScreens: await signInTeammate(owner),
    devices: () => db().pushSubscription.findMany({ where: { userId: agent.id } }),
    /** Counts the jobs of a notification, before and after they were moved to the queue. */
    jobs: async (id: string) => {
      const [row] = await db().$queryRaw<{ count: number }[]>`
        select (select count(*) from job_outbox where task = 'send-push' and payload ->> 'notificationId' = ${id})::int
          + (select count(*) from graphile_worker._private_jobs where payload ->> 'notificationId' = ${id})::int as count`;
      return row?.count;
    },
  };
}

function contentOf(kind: string, id: string): Prisma.InputJsonObject {
  const last = { outcome: 'gone', statusCode: 410 };
  const contents: Record<string, Prisma.InputJsonObject> = {
    mentioned: { byName: 'Olivia Owen', noteId: id },
    noted: { byName: 'Olivia Owen', noteId: id },
    contact_wrote: { messageId: id },
    assignee_away: { assigneeName: 'Aggie Agent', until: null },
    team_conversation: { teamName: 'Sales' },
    new_conversation: { more: 0 },
    command_failed: { command: 'refund', outcome: 'gone', attempts: 1, last },
  };
  return contents[kind] ?? { byName: 'Olivia Owen' };
}
