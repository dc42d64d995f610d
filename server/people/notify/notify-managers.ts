import { afterCommit, type Tx } from '#server/ground/db.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';
import { publish } from '#server/ground/publish/publish.ts';
import { type ManagerNotification, NOTIFIED_ROLES } from '#server/people/notify/notification-content.ts';

/**
 * Tells those who manage a workspace what happened to a hook (owners and admins) or a connection (owners), in the
 * transaction in which it happens: in the app at once, and by e-mail from a job queued with it. Mail is sent by one job
 * after the other, so that a mail server that hangs holds up nothing else.
 * @param except the ids of users who need not be told, as it is their own doing; null is nobody
 */
export async function notifyManagers(
  tx: Tx,
  {
    workspaceId,
    content,
    except = [],
    now,
  }: { workspaceId: string; content: ManagerNotification; except?: (string | null)[]; now: Date },
): Promise<void> {
  const { kind, data } = content;
  const informed = except.filter((id) => id !== null);
  const told = await tx.$queryRaw<{ id: string }[]>`
    insert into notifications (id, workspace_id, user_id, kind, data, created_at)
    select gen_random_uuid(), workspace_id, user_id, ${kind}, ${JSON.stringify(data)}::jsonb, ${now}
    from members
    where workspace_id = ${workspaceId}::uuid and role::text = any (${[...NOTIFIED_ROLES[kind]]})
      and user_id <> all (${informed}::uuid[])
    returning id`;
  if (told.length === 0) return;
  const notificationIds = told.map(({ id }) => id);
  await queueJob(tx, 'mail-notifications', { notificationIds }, { queue: 'mail-notifications' });
  afterCommit(tx, () => publish(workspaceId, 'notifications'));
}
