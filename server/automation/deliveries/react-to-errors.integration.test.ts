import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answered, attemptedDelivery, record } from '#test/fixtures/attempts.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/hook-test.ts';

describe('owners and admins are notified', () => {
  test.each([25, 40] as const)(
    'after exactly %i consecutive failed events, and at no other number below 50',
    async (count) => {
      const hook = await failingHook(count - 2);
      await failOnce(hook);
      expect(await notificationsOf(hook)).toEqual([]);
      await failOnce(hook);
      const data = {
        hookId: hook.id,
        event: hook.event,
        count,
        since: '2026-11-21T06:00:00.000+00:00',
        lastStatus: 500,
      };
      const both = [
        { role: 'admin', kind: 'hook_failing', data },
        { role: 'owner', kind: 'hook_failing', data },
      ];
      expect(await notificationsOf(hook)).toEqual(both);
      await failOnce(hook);
      expect(await notificationsOf(hook)).toEqual(both);
    },
  );

  test('when the fiftieth error removes the hook', async () => {
    const hook = await failingHook(49);
    await failOnce(hook, 404);
    const data = {
      hookId: hook.id,
      event: hook.event,
      reason: 'failing',
      since: '2026-11-21T06:00:00.000+00:00',
    };
    expect(await notificationsOf(hook)).toEqual([
      { role: 'admin', kind: 'hook_removed', data },
      { role: 'owner', kind: 'hook_removed', data },
    ]);
  });

  test('when the platform responds that the hook is gone', async () => {
    const hook = await failingHook(0);
    await record(await attemptedDelivery(hook), 1, answered(410));
    const data = { hookId: hook.id, event: hook.event, reason: 'gone', since: null };
    expect(await notificationsOf(hook)).toEqual([
      { role: 'admin', kind: 'hook_removed', data },
      { role: 'owner', kind: 'hook_removed', data },
    ]);
  });
});

test('two deliveries that fail concurrently reach the 25th error once', async () => {
  const hook = await failingHook(23);
  const both = [
    await attemptedDelivery(hook, { attempts: 4 }),
    await attemptedDelivery(hook, { attempts: 4 }),
  ];
  await Promise.all(both.map((delivery) => record(delivery, 5, answered(500))));
  expect((await notificationsOf(hook)).map(({ role, kind }) => [role, kind])).toEqual([
    ['admin', 'hook_failing'],
    ['owner', 'hook_failing'],
  ]);
});

test('a hook that is already gone is not removed again, and nobody is notified twice', async () => {
  const hook = await failingHook(0);
  const both = [await attemptedDelivery(hook), await attemptedDelivery(hook)];
  await Promise.all(both.map((delivery) => record(delivery, 1, answered(410))));
  expect((await notificationsOf(hook)).length).toBe(2);
});

test('a failure to notify leaves the attempt unrecorded, so that it can be recorded again', async () => {
  const hook = await failingHook(24);
  const delivery = await attemptedDelivery(hook, { attempts: 4 });
  await db().$executeRaw`alter table notifications rename to hidden_notifications`;
  await expect(record(delivery, 5, answered(500))).rejects.toThrow();
  await db().$executeRaw`alter table hidden_notifications rename to notifications`;
  expect(await db().hook.findUnique({ where: { id: hook.id } })).toMatchObject({ consecutiveErrors: 24 });
  expect(await record(delivery, 5, answered(500))).toBe(true);
  expect((await notificationsOf(hook)).length).toBe(2);
});

/** Creates a hook with consecutive errors, in a workspace with an owner, an admin, an agent and a viewer. */
async function failingHook(consecutiveErrors: number) {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  for (const role of ['admin', 'agent', 'viewer'] as const) {
    await addMember(workspaceId, (await makeUser(role)).id, role);
  }
  const hook = await makeHook(connection);
  const since = new Date('2026-11-21T06:00:00.000Z');
  await db().hook.update({
    where: { id: hook.id },
    data: { consecutiveErrors, failingSince: consecutiveErrors > 0 ? since : null },
  });
  return hook;
}

type Hook = Awaited<ReturnType<typeof failingHook>>;

async function notificationsOf({ workspaceId }: Hook) {
  const rows = await db().notification.findMany({
    where: { workspaceId },
    include: { user: { select: { memberships: { where: { workspaceId } } } } },
    orderBy: { createdAt: 'asc' },
  });
  return rows
    .map(({ kind, data, user }) => ({ role: user.memberships[0]?.role, kind, data }))
    .toSorted((a, b) => String(a.role).localeCompare(String(b.role)));
}

const failOnce = async (hook: Hook, status = 500) =>
  record(await attemptedDelivery(hook, { attempts: 4 }), 5, answered(status));
