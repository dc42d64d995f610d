import { beforeEach, describe, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { Actor } from '#server/teammates/actor.ts';
import { addNotifications, type NewNotification } from '#server/teammates/add-notifications.ts';
import { notificationContent } from '#server/teammates/notification-content.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
let ben: Teammate;
let conversationId: string;
beforeEach(async () => {
  connection = await makeConnection();
  ben = await makeUser('Ben');
  await addMember(connection.workspaceId, ben.id, 'agent');
  conversationId = await makeConversation(connection);
});

const NOW = new Date('2026-11-21T06:29:29.123Z');
const NOTE_ID = '01a1fe08-26c9-701b-a6d2-1ac12d5c02f6';
const notify = (actor: Actor, notifications: NewNotification[]) =>
  inTransaction((tx) => {
    const { workspaceId } = connection;
    return addNotifications(tx, { workspaceId, conversationId, actor, notifications, now: NOW });
  });
const storedNotifications = () =>
  db().notification.findMany({ where: { workspaceId: connection.workspaceId }, orderBy: { id: 'asc' } });
const assigned = (userId: string, byName: string | null): NewNotification => ({
  userId,
  kind: 'assigned',
  data: { byName },
});

test('a notification stores the recipient, the event, the author and the time, unread and not yet emailed', async () => {
  await notify({ kind: 'teammate', teammate: connection.teammate }, [assigned(ben.id, 'Olivia Owen')]);
  expect(await storedNotifications()).toEqual([
    {
      id: expect.any(String),
      workspaceId: connection.workspaceId,
      userId: ben.id,
      kind: 'assigned',
      conversationId,
      data: { byName: 'Olivia Owen' },
      readAt: null,
      emailedAt: null,
      createdAt: NOW,
    },
  ]);
});

test('several teammates are notified in one call, in the given order', async () => {
  const cleo = await makeUser('Cleo');
  const data = { byName: null, noteId: NOTE_ID };
  await notify({ kind: 'automatic' }, [
    assigned(ben.id, null),
    { userId: cleo.id, kind: 'mentioned', data },
    { userId: ben.id, kind: 'noted', data },
  ]);
  const rows = await storedNotifications();
  expect(rows).toMatchObject([
    { userId: ben.id, kind: 'assigned', data: { byName: null } },
    { userId: cleo.id, kind: 'mentioned', data },
    { userId: ben.id, kind: 'noted', data },
  ]);
  for (const row of rows) expect(notificationContent.safeParse(row).success).toBe(true);
});

describe('no one is notified of their own changes', () => {
  test.each<[string, () => Actor]>([
    ['in the app', () => ({ kind: 'teammate', teammate: ben })],
    ['through the platform', () => ({ kind: 'workflow', teammate: ben, connectionId: connection.id })],
  ])('%s', async (_where, actor) => {
    await notify(actor(), [assigned(ben.id, 'Ben'), assigned(connection.teammate.id, 'Ben')]);
    expect(await storedNotifications()).toMatchObject([{ userId: connection.teammate.id }]);
  });
});

test('nothing is written when there is no one to notify', async () => {
  await notify({ kind: 'teammate', teammate: ben }, []);
  await notify({ kind: 'teammate', teammate: ben }, [assigned(ben.id, 'Ben')]);
  expect(await storedNotifications()).toEqual([]);
});
