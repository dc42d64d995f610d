import { v7 as uuidv7 } from 'uuid';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { ALWAYS, statementOf } from '#server/core/database/parts.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { JobName } from '#server/core/jobs/jobs.ts';
import { startMovingJobs } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Actor } from '#server/teammates/actor.ts';
import {
  type ManagerNotification,
  NOTIFIED_ROLES,
  type NotificationContent,
} from '#server/teammates/notification-content.ts';
import { NOTIFICATION_CHANNELS, type PreferenceKind } from '#server/teammates/notification-kinds.ts';

export type NewNotification = { userId: string } & NotificationContent;

type Notifications = {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  notifications: NewNotification[];
  now: Date;
};

/**
 * Notifies teammates about a conversation, in the transaction of the change. No one is notified of their own
 * changes, including those of their workflows.
 */
export async function addNotifications(tx: SqlDb, notifications: Notifications): Promise<void> {
  const rows = notificationRows(notifications);
  if (!rows) return;
  await tx.$executeRaw(rows);
  afterCommit(tx, () => publish(notifications.workspaceId, 'notifications'));
}

/** Returns the statement of `addNotifications` as part of a larger one, or null when no one is notified. */
export function notificationRows({
  workspaceId,
  conversationId,
  actor,
  notifications,
  now,
}: Notifications): Prisma.Sql | null {
  const authorId = 'teammate' in actor ? actor.teammate.id : null;
  const others = notifications.filter(({ userId }) => userId !== authorId);
  if (others.length === 0) return null;
  const rows = JSON.stringify(
    others.map(({ userId, kind, data }) => ({ id: uuidv7(), user_id: userId, kind, data })),
  );
  return Prisma.sql`
    insert into notifications (id, workspace_id, user_id, kind, conversation_id, data, created_at)
    select n.id, ${workspaceId}::uuid, n.user_id, n.kind, ${conversationId}::uuid, n.data, ${now}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as n (id uuid, user_id uuid, kind text, data jsonb)`;
}

/** Returns the SQL condition that the preferences `p` have turned on a kind of notifications, on any channel. */
export function isTurnedOn(kind: PreferenceKind): Prisma.Sql {
  return Prisma.sql`${kind}::text = any (${Prisma.raw(NOTIFICATION_CHANNELS.map((channel) => `p.${channel}`).join(' || '))})`;
}

/**
 * Returns the statement that notifies the members of a team about a conversation that is new there, if they turned these
 * notifications on. Skips the author, and teammates who get another notification of the same change.
 */
export function teamNotificationRows({
  workspaceId,
  conversationId,
  actor,
  notifications,
  teamId,
  now,
}: Notifications & { teamId: string }): Prisma.Sql {
  const kind: PreferenceKind = 'team_conversation';
  const authorId = 'teammate' in actor ? actor.teammate.id : null;
  const informed = [...notifications.map(({ userId }) => userId), authorId].filter((id) => id !== null);
  return Prisma.sql`
    insert into notifications (id, workspace_id, user_id, kind, conversation_id, data, created_at)
    select gen_random_uuid(), t.workspace_id, p.user_id, ${kind}::text, ${conversationId}::uuid,
      jsonb_build_object('teamName', t.name), ${now}::timestamptz
    from teams t
    join team_members m on m.team_id = t.id
    join notification_preferences p on p.workspace_id = m.workspace_id and p.user_id = m.user_id
    where t.workspace_id = ${workspaceId}::uuid and t.id = ${teamId}::uuid
      and ${isTurnedOn(kind)}
      and p.user_id <> all (${informed}::uuid[])`;
}

/**
 * Returns the statement that marks the notifications of a conversation as read that are no longer true: assignments to
 * others than the assignee, and with `isTaken` that it is new and unassigned or that its assignee is away. All when `isDone`.
 */
export function endedNotificationRows({
  conversationId,
  assigneeId,
  isTaken,
  isDone,
  now,
}: {
  conversationId: string;
  /** The assignee after the change. */
  assigneeId: string | null;
  isTaken: boolean;
  isDone: boolean;
  now: Date;
}): Prisma.Sql {
  return Prisma.sql`
    update notifications set read_at = ${now}::timestamptz
    where conversation_id = ${conversationId}::uuid and read_at is null and (
      (kind = 'assigned' and (${isDone}::boolean or user_id is distinct from ${assigneeId}::uuid))
      or (kind in ('new_conversation', 'assignee_away') and ${isTaken || isDone}::boolean))
    returning id`;
}

type ForManagers = {
  workspaceId: string;
  content: ManagerNotification;
  except?: (string | null)[];
  now: Date;
};

/**
 * Notifies the managers of a workspace about a hook (owners and admins) or a connection (owners), in the
 * transaction of the change: immediately in the app, and by email from a job. These jobs run serially, so
 * that a hanging mail server occupies only one worker slot. One round trip.
 * @param except ids of users who made the change themselves; null entries are ignored
 */
export async function notifyManagers(tx: SqlDb, notification: ForManagers): Promise<void> {
  const [{ notified } = { notified: 0 }] = await tx.$queryRaw<{ notified: number }[]>(
    statementOf(managerNotificationParts(notification), Prisma.sql`select ${NOTIFIED} as notified`),
  );
  if (notified === 0) return;
  afterCommit(tx, startMovingJobs);
  afterCommit(tx, () => publish(notification.workspaceId, 'notifications'));
}

/**
 * Number of notifications of `managerNotificationParts`. If it is positive, the caller moves the job and
 * notifies pages.
 */
export const NOTIFIED = Prisma.sql`(select count(*)::int from notified)`;

/**
 * Returns `notifyManagers` as parts of a larger statement.
 * @param when SQL condition for notifying anyone
 */
export function managerNotificationParts(
  { workspaceId, content, except = [], now }: ForManagers,
  when: Prisma.Sql = ALWAYS,
) {
  const { kind, data } = content;
  const informed = except.filter((id) => id !== null);
  const mail: JobName = 'mail-notifications';
  return {
    notified: Prisma.sql`
      insert into notifications (id, workspace_id, user_id, kind, data, created_at)
      select gen_random_uuid(), workspace_id, user_id, ${kind}::text, ${JSON.stringify(data)}::jsonb, ${now}::timestamptz
      from members
      where workspace_id = ${workspaceId}::uuid and role = any (${[...NOTIFIED_ROLES[kind]]}::role[])
        and user_id <> all (${informed}::uuid[]) and ${when}
      returning id`,
    mailed: Prisma.sql`
      insert into job_outbox (task, payload, queue_name)
      select ${mail}::text, json_build_object('notificationIds', json_agg(id)), ${mail}::text
      from notified having count(*) > 0`,
  };
}
