import { z } from 'zod';
import { db, pool } from '#server/db.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { sendMail } from '#server/mail/send-mail.ts';
import { serviceSender } from '#server/mail/service-sender.ts';
import { findHookNames } from '#server/notifications/find-hook-names.ts';
import { hookMail } from '#server/notifications/hook-mail.ts';
import { type HookNotification, notificationContent } from '#server/notifications/notification-content.ts';
import { withMailLocks } from '#server/notifications/with-mail-locks.ts';
import { persistently } from '#server/persistently.ts';
import { MANAGING_ROLES } from '#server/teammates/roles.ts';

/** Mails on their way at once, and for how long further ones are begun, in milliseconds. A mail takes 10 s at most. */
const AT_ONCE = 5;
const BEGIN_FOR_MS = 8_000;

type DueMail = {
  id: string;
  content: HookNotification;
  createdAt: Date;
  recipient: { name: string; address: string };
  workspaceName: string;
};

/**
 * Mails notifications to the owners and admins they are for, each once, also when it is called twice or by two
 * workers at once. Who has left the workspace meanwhile or lost that role gets none. Ends within twenty seconds.
 * @throws when mails are left that did not leave; called again it sends only these
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
    due.map(({ content }) => content.data.hookId),
  );
  const waiting = [...due];
  const beginUntil = performance.now() + BEGIN_FOR_MS;
  const sendSome = async () => {
    while (performance.now() < beginUntil) {
      const mail = waiting.shift();
      if (!mail) return;
      await send(mail, hooks.get(mail.content.data.hookId));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
}

/** Its Message-ID is made of the notification's id: should it leave twice after a crash, programs show it once. */
async function send(
  { id, content, createdAt, recipient, workspaceName }: DueMail,
  names: Parameters<typeof hookMail>[0]['names'],
): Promise<void> {
  const { BASE_URL, PLATFORM_NAME, SERVICE_NAME } = settings();
  const from = serviceSender();
  try {
    await sendMail({
      from,
      to: recipient,
      ...hookMail({
        content,
        at: createdAt,
        recipientName: recipient.name,
        workspaceName,
        names,
        platformName: PLATFORM_NAME,
        serviceName: SERVICE_NAME,
        integrationsUrl: `${BASE_URL}/settings/integrations`,
      }),
      messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      references: [],
      isAutomatic: true,
    });
  } catch (error) {
    log().warn({ err: error, notificationId: id }, 'notification.not_mailed');
    return;
  }
  log().info({ notificationId: id, kind: content.kind }, 'notification.mailed');
  await persistently(() =>
    db().notification.updateMany({ where: { id, emailedAt: null }, data: { emailedAt: new Date() } }),
  );
}

const dueRow = z
  .object({
    id: z.string(),
    created_at: z.date(),
    address: z.string(),
    name: z.string(),
    workspace: z.string(),
  })
  .and(notificationContent);

async function findDue(ids: string[]): Promise<DueMail[]> {
  const { rows } = await pool().query(
    `select n.id, n.kind, n.data, n.created_at, u.email as address, u.name, w.name as workspace
     from notifications n
     join members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id
     join users u on u.id = n.user_id
     join workspaces w on w.id = n.workspace_id
     where n.id = any ($1::uuid[]) and n.emailed_at is null and m.role::text = any ($2)
     order by n.id`,
    [ids, MANAGING_ROLES],
  );
  return rows.flatMap((row) => {
    const { id, created_at, address, name, workspace, ...content } = dueRow.parse(row);
    if (content.kind !== 'hook_failing' && content.kind !== 'hook_removed') return [];
    return [{ id, content, createdAt: created_at, recipient: { name, address }, workspaceName: workspace }];
  });
}
