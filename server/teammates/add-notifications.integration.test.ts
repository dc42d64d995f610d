import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addNotifications, type NewNotification } from '#server/teammates/add-notifications.ts';
import { notificationContent } from '#server/teammates/notification-content.ts';
import type { makeConnection } from '#test/fixtures/factories.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

const test = serviceTest
  .extend('ben', ({ connection }) => addTeammate(connection.workspaceId, 'agent', 'Ben'))
  .extend('notify', ({ connection, conversation }) => notifier(connection.workspaceId, conversation));

const NOW = new Date('2026-11-21T06:29:29.123Z');

test('a notification stores the recipient, the event, the author and the time, unread and not yet emailed', async ({
  connection,
  conversation,
  ben,
  notify,
}) => {
  await notify({ kind: 'teammate', teammate: connection.teammate }, [assigned(ben.id, 'Olivia Owen')]);
  expect(await storedNotifications(connection)).toEqual([
    {
      id: expect.any(String),
      workspaceId: connection.workspaceId,
      userId: ben.id,
      kind: 'assigned',
      conversationId: conversation,
      data: { byName: 'Olivia Owen' },
      readAt: null,
      emailedAt: null,
      createdAt: NOW,
    },
  ]);
});

test('several teammates are notified in one call, in the given order', async ({
  connection,
  ben,
  notify,
}) => {
  const cleo = await makeUser('Cleo');
  const data = { byName: null, noteId: NOTE_ID };
  await notify({ kind: 'automatic' }, [
    assigned(ben.id, null),
    { userId: cleo.id, kind: 'mentioned', data },
    { userId: ben.id, kind: 'noted', data },
  ]);
  const rows = await storedNotifications(connection);
  expect(rows).toMatchObject([
    { userId: ben.id, kind: 'assigned', data: { byName: null } },
    { userId: cleo.id, kind: 'mentioned', data },
    { userId: ben.id, kind: 'noted', data },
  ]);
  for (const row of rows) expect(notificationContent.safeParse(row).success).toBe(true);
});

describe('no one is notified of their own changes', () => {
  test.for<[string, (teammate: Teammate, connectionId: string) => Actor]>([
    ['in the app', (teammate) => ({ kind: 'teammate', teammate })],
    ['through the platform', (teammate, connectionId) => ({ kind: 'workflow', teammate, connectionId })],
  ])('%s', async ([_where, actor], { connection, ben, notify }) => {
    await notify(actor(ben, connection.id), [
      assigned(ben.id, 'Ben'),
      assigned(connection.teammate.id, 'Ben'),
    ]);
    expect(await storedNotifications(connection)).toMatchObject([{ userId: connection.teammate.id }]);
  });
});

test('nothing is written when there is no one to notify', async ({ connection, ben, notify }) => {
  await notify({ kind: 'teammate', teammate: ben }, []);
  await notify({ kind: 'teammate', teammate: ben }, [assigned(ben.id, 'Ben')]);
  expect(await storedNotifications(connection)).toEqual([]);
});

const NOTE_ID = '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6';

/** Returns a function that adds notifications about a conversation. */
function notifier(workspaceId: string, conversationId: string) {
  return (actor: Actor, notifications: NewNotification[]) =>
    inTransaction((tx) =>
      addNotifications(tx, { workspaceId, conversationId, actor, notifications, now: NOW }),
    );
}

const storedNotifications = (connection: Connection) =>
  db().notification.findMany({ where: { workspaceId: connection.workspaceId }, orderBy: { id: 'asc' } });
const assigned = (userId: string, byName: string | null): NewNotification => ({
  userId,
  kind: 'assigned',
  data: { byName },
});

type Connection = Awaited<ReturnType<typeof makeConnection>>;
