import {
  announceable,
  countUnreadInBell,
  notificationSelect,
  notificationViews,
} from '#server/administration/notifications/list-notifications.ts';
import { getPreferences } from '#server/administration/notifications/preferences.ts';
import {
  type PushContent,
  type PushTarget,
  sendToPushService,
} from '#server/administration/notifications/push-service.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { log } from '#server/core/log.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isAway } from '#server/teammates/away.ts';
import {
  CLOSED_BY,
  IS_PENDING,
  JOIN_OF_SECOND_FACTOR,
  JOINS_OF_CLOSED_BY,
} from '#server/teammates/closed-workspaces.ts';
import { isQuiet } from '#server/teammates/notification-preferences.ts';
import { VISIBILITY_OF_MEMBER, type Visibility } from '#server/teammates/visibility.ts';

/** Age in minutes up to which a notification is pushed. Bounds the retries, and what a stopped worker catches up on. */
const MAX_AGE_MINUTES = 60;
const BODY_MAX_LENGTH = 300;

type Device = PushTarget & {
  id: string;
  userId: string;
  workspaceId: string;
  workspaceName: string;
  visibility: Visibility | null;
};

/**
 * Pushes a notification to the devices of its teammate, each at most once, however often the job runs. Everything is
 * checked now: whether it is unread, the conversation is visible, the teammate wants it and is neither away nor in quiet hours, and
 * the device's session may open the workspace. Nothing is pushed from a test workspace.
 * @throws Error when a push service may accept it later, so that the job runs again
 */
export async function sendPush(notificationId: string, now = new Date()): Promise<void> {
  const devices = await findDevices(notificationId);
  const [first] = devices;
  if (!first) return;
  const message = await readMessage(notificationId, first, now);
  if (!message) return;
  const outcomes = await Promise.all(devices.map((device) => pushTo(device, { notificationId, ...message })));
  if (outcomes.includes('later')) throw new Error('A push service did not accept a notification yet.');
}

/** Finds the devices to which the notification was not sent yet. */
function findDevices(notificationId: string): Promise<Device[]> {
  return sql().$queryRaw<Device[]>`
    select d.id, d.endpoint, d.p256dh, d.auth, n.user_id as "userId", n.workspace_id as "workspaceId",
      w.name as "workspaceName", ${Prisma.raw(VISIBILITY_OF_MEMBER)} as visibility
    from notifications n
    join members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id and not ${isAway('m')}
    join workspaces w on w.id = n.workspace_id and w.deleted_at is null and w.test_of_id is null
    join users u on u.id = n.user_id
    join push_subscriptions d on d.user_id = n.user_id
    join sessions s on s.id = d.session_id and s.expires_at > now()
    ${Prisma.raw(JOIN_OF_SECOND_FACTOR)} ${Prisma.raw(JOINS_OF_CLOSED_BY)}
    where n.id = ${notificationId}::uuid and n.read_at is null
      and n.created_at > now() - make_interval(mins => ${MAX_AGE_MINUTES}::int)
      and not ${Prisma.raw(`(${IS_PENDING})`)} and ${Prisma.raw(CLOSED_BY)} is null
      and not exists (select from push_sends p where p.subscription_id = d.id and p.notification_id = n.id)`;
}

type Message = { content: PushContent; topic: string };

/** Returns what the devices show, or null when the teammate does not want it or may not see it. */
async function readMessage(
  id: string,
  { userId, workspaceId, workspaceName, visibility }: Device,
  now: Date,
): Promise<Message | null> {
  const { choices, quiet } = await getPreferences(db(), { workspaceId, userId });
  if (quiet && isQuiet(quiet, now)) return null;
  const row = await db().notification.findFirst({
    where: { id, readAt: null, kind: { in: choices.push }, ...announceable(visibility) },
    select: notificationSelect,
  });
  const [view] = row ? await notificationViews(db(), [row]) : [];
  if (!row || !view) return null;
  const unread = await countUnreadInBell({ workspaceId, userId, visibility });
  const body = [...view.sentence.slice(0, 2 * BODY_MAX_LENGTH)].slice(0, BODY_MAX_LENGTH).join('');
  return {
    content: { id, workspaceId, title: workspaceName, body, href: view.href ?? '/inbox', unread },
    // At most 32 characters of base64url (RFC 8030 §5.4): a UUID without its dashes.
    topic: (row.conversation?.id ?? id).replaceAll('-', ''),
  };
}

async function pushTo(
  device: Device,
  { notificationId, content, topic }: Message & { notificationId: string },
): Promise<'later' | 'done'> {
  // Claimed before it is sent: of two jobs, one sends it.
  const claimed = await sql().$executeRaw`
    insert into push_sends (subscription_id, notification_id)
    select d.id, n.id from push_subscriptions d, notifications n
    where d.id = ${device.id}::uuid and n.id = ${notificationId}::uuid and n.read_at is null
    on conflict do nothing`;
  if (claimed === 0) return 'done';
  const { kind, code } = await sendToPushService(device, content, topic);
  log().info({ userId: device.userId, notificationId, outcome: kind, code }, 'notification.pushed');
  const where = { id: device.id, endpoint: device.endpoint };
  if (kind === 'sent') {
    await db().pushSubscription.updateMany({ where, data: { lastUsedAt: new Date() } });
  } else if (kind === 'gone') {
    await db().pushSubscription.deleteMany({ where });
  } else if (kind === 'later') {
    await db().pushSend.deleteMany({ where: { subscriptionId: device.id, notificationId } });
    return 'later';
  }
  return 'done';
}
