import { z } from 'zod';
import {
  channelMail,
  connectionMail,
  hookMail,
  storageMail,
  tokenMail,
  webhookMail,
} from '#server/administration/notifications/notification-mails.ts';
import { findHookNames, type HookNames } from '#server/administration/notifications/notification-sentence.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { sql } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { withMailLocks } from '#server/core/mail/mail-locks.ts';
import { mailInTurn, sendServiceMail } from '#server/core/mail/service-mail.ts';
import { Role } from '#server/generated/prisma/enums.ts';
import {
  type ManagerNotification,
  NOTIFIED_ROLES,
  type NotificationContent,
  notificationContent,
} from '#server/teammates/notification-content.ts';

type DueMail = {
  id: string;
  content: ManagerNotification;
  createdAt: Date;
  recipient: { name: string; address: string };
  workspaceId: string;
  workspaceName: string;
};

/**
 * Emails notifications to their recipients, owners and admins. Each is sent once, even when two workers
 * call this at the same time. A teammate who has left the workspace or lost the role gets no email. Finishes
 * within twenty seconds.
 * @throws when emails remain unsent; a retry sends only those
 */
export async function mailNotifications(ids: string[]): Promise<void> {
  await withMailLocks(ids, async (mine) => sendAll(await findDue(mine)));
  const left = await findDue(ids);
  if (left.length > 0)
    throw new Error(`${left.length} of ${ids.length} notifications could not be mailed yet.`);
}

async function sendAll(due: DueMail[]): Promise<void> {
  const hooks = await findHookNames(
    db(),
    due.flatMap(({ content }) => ('hookId' in content.data ? content.data.hookId : [])),
  );
  await mailInTurn(due, (mail) => send(mail, hooks));
}

async function send(mail: DueMail, hooks: Map<string, HookNames>): Promise<void> {
  const { id, content, recipient, workspaceId } = mail;
  try {
    await sendServiceMail({ workspaceId, to: recipient, ...textOf(mail, hooks), id });
  } catch (error) {
    log().warn({ err: error, notificationId: id }, 'notification.not_mailed');
    return;
  }
  log().info({ notificationId: id, kind: content.kind }, 'notification.mailed');
  await retryWhileDatabaseAway(() =>
    db().notification.updateMany({ where: { id, emailedAt: null }, data: { emailedAt: new Date() } }),
  );
}

function textOf({ content, createdAt, recipient, workspaceName }: DueMail, hooks: Map<string, HookNames>) {
  const { BASE_URL, PLATFORM_NAME, SERVICE_NAME } = settings();
  const facts = {
    at: createdAt,
    recipientName: recipient.name,
    workspaceName,
    platformName: PLATFORM_NAME,
    serviceName: SERVICE_NAME,
    integrationsUrl: `${BASE_URL}/settings/integrations`,
  };
  switch (content.kind) {
    case 'hook_failing':
    case 'hook_removed':
      return hookMail({ ...facts, content, names: hooks.get(content.data.hookId) });
    case 'channel_reconnect':
    case 'channel_expiring':
    case 'channel_update_failed':
      return channelMail({ ...facts, content, channelsUrl: `${BASE_URL}/settings/channels` });
    case 'storage_low':
      return storageMail({ ...facts, content, storageUrl: `${BASE_URL}/settings/web-chat` });
    case 'webhook_failing':
    case 'webhook_paused':
      return webhookMail({ ...facts, content, developersUrl: `${BASE_URL}/settings/developers` });
    case 'api_token_created':
      return tokenMail({ ...facts, content, developersUrl: `${BASE_URL}/settings/developers` });
    case 'connection_started':
    case 'connection_ended':
      return connectionMail({ ...facts, content });
  }
}

const dueRow = z
  .object({
    id: z.string(),
    created_at: z.date(),
    address: z.string(),
    name: z.string(),
    workspace_id: z.string(),
    workspace: z.string(),
    role: z.enum(Role),
  })
  .and(notificationContent);

async function findDue(ids: string[]): Promise<DueMail[]> {
  const rows = await sql().$queryRaw<unknown[]>`
    select n.id, n.kind, n.data, n.created_at, u.email as address, u.name, w.id as workspace_id, w.name as workspace, m.role
    from notifications n
    join members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id
    join users u on u.id = n.user_id
    join workspaces w on w.id = n.workspace_id
    where n.id = any (${ids}::uuid[]) and n.emailed_at is null
    order by n.id`;
  return rows.flatMap((row) => {
    const {
      id,
      created_at,
      address,
      name,
      workspace_id: workspaceId,
      workspace,
      role,
      ...content
    } = dueRow.parse(row);
    if (!isMailed(content) || !isFor(content, role)) return [];
    return [
      {
        id,
        content,
        createdAt: created_at,
        recipient: { name, address },
        workspaceId,
        workspaceName: workspace,
      },
    ];
  });
}

function isMailed(content: NotificationContent): content is ManagerNotification {
  return content.kind in NOTIFIED_ROLES;
}

function isFor({ kind }: ManagerNotification, role: Role): boolean {
  return NOTIFIED_ROLES[kind].some((each) => each === role);
}
