import { afterCommit, type Tx } from '#server/db.ts';
import { announce } from '#server/live/announce.ts';
import type { HookNotification } from '#server/notifications/notification-content.ts';
import { queueJob } from '#server/queue-job.ts';
import { MANAGING_ROLES } from '#server/teammates/roles.ts';

/**
 * Tells the owners and admins of a workspace what happened to one of its hooks, in the transaction in which it
 * happens: in the app at once, and by e-mail from a job queued with it. Mail is sent by one job after the other, so
 * that a mail server that hangs holds up nothing else.
 */
export async function notifyManagers(
  tx: Tx,
  { workspaceId, content, now }: { workspaceId: string; content: HookNotification; now: Date },
): Promise<void> {
  const { kind, data } = content;
  const told = await tx.$queryRaw<{ id: string }[]>`
    insert into notifications (id, workspace_id, user_id, kind, data, created_at)
    select gen_random_uuid(), workspace_id, user_id, ${kind}, ${JSON.stringify(data)}::jsonb, ${now}
    from members
    where workspace_id = ${workspaceId}::uuid and role::text = any (${[...MANAGING_ROLES]})
    returning id`;
  if (told.length === 0) return;
  const notificationIds = told.map(({ id }) => id);
  await queueJob(tx, 'mail-notifications', { notificationIds }, { queue: 'mail-notifications' });
  afterCommit(tx, () => announce(workspaceId, 'notifications'));
}
