import {
  type NotificationView,
  notificationSelect,
  notificationViews,
} from '#server/administration/notifications/list-notifications.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { mayHaveBeenSent, sendMail } from '#server/core/mail/send-mail.ts';
import { formatTimestamp, serviceSender } from '#server/core/mail/service-mail.ts';
import type { NotificationContent } from '#server/teammates/notification-content.ts';

/** After so long without having been seen a notification is mailed, in minutes. */
const UNSEEN_MINUTES = 10;
/** What is older was to be mailed long ago, and is not dug out; nor do those looked for grow without end, in hours. */
const LOOKED_BACK_HOURS = 24;
/** For so long a mail that the server did not take is tried again, in minutes. */
const RETRIED_MINUTES = 60;
/** Teammates in a run, mails on their way at once, and for how long further ones are begun, in milliseconds. */
const WHOSE_MAX = 200;
const AT_ONCE = 5;
const BEGIN_FOR_MS = 8_000;

/**
 * What is mailed: what someone wants of the teammate. The rest waits in the app, or is mailed by `mailNotifications`.
 */
const MAILED_KINDS: NotificationContent['kind'][] = [
  'assigned',
  'mentioned',
  'noted',
  'sla_breached',
  'reply_not_sent',
  'message_failed',
];

type Whose = { userId: string; workspaceId: string };

/** Whose mail failed in the last run of this process: they come last, so that they keep no one else's from leaving. */
let failedBefore: string[] = [];

/** Of whom something is unseen for long enough, by the partial index of what is unseen; who has left is not mailed. */
const FIND = `
  select n.user_id as "userId", n.workspace_id as "workspaceId"
  from notifications n
  join members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id
  join workspaces w on w.id = n.workspace_id and w.deleted_at is null
  where n.read_at is null and n.emailed_at is null and n.kind = any ($1)
    and n.created_at <= now() - make_interval(mins => ${UNSEEN_MINUTES})
    and n.created_at > now() - make_interval(hours => ${LOOKED_BACK_HOURS})
  group by n.user_id, n.workspace_id
  order by (n.user_id || '/' || n.workspace_id) = any ($2), min(n.created_at)
  limit ${WHOSE_MAX}`;

/** Takes all that a teammate has not seen, so that no one else mails it. */
const TAKE = `
  update notifications set emailed_at = now()
  where user_id = $2 and workspace_id = $3 and read_at is null and emailed_at is null and kind = any ($1)
    and created_at > now() - make_interval(hours => ${LOOKED_BACK_HOURS})
  returning id, created_at > now() - make_interval(mins => ${RETRIED_MINUTES}) as "isYoung"`;

/**
 * Mails teammates what they have not seen in the app for ten minutes: one mail for each teammate and workspace with all
 * that is unseen. It is marked as mailed before the mail leaves, so that two workers never mail it twice, and a crash
 * in between loses that mail at most; one that the mail server refused is tried again for an hour. Ends within twenty
 * seconds; what is left is mailed the next time.
 */
export async function mailUnseen(): Promise<void> {
  const { rows: waiting } = await pool().query<Whose>(FIND, [MAILED_KINDS, failedBefore]);
  const failed: string[] = [];
  const beginUntil = performance.now() + BEGIN_FOR_MS;
  const mailSome = async () => {
    while (performance.now() < beginUntil) {
      const whose = waiting.shift();
      if (!whose) return;
      await mailTo(whose).catch((error: unknown) => {
        failed.push(`${whose.userId}/${whose.workspaceId}`);
        log().warn({ err: error, ...whose }, 'notifications.not_mailed');
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, mailSome));
  failedBefore = failed;
}

async function mailTo({ userId, workspaceId }: Whose): Promise<void> {
  const { rows: taken } = await pool().query<{ id: string; isYoung: boolean }>(TAKE, [
    MAILED_KINDS,
    userId,
    workspaceId,
  ]);
  if (taken.length === 0) return;
  try {
    await send({ userId, workspaceId, ids: taken.map(({ id }) => id) });
  } catch (error) {
    // Where no one knows whether it was taken, it is better missed than had twice: it is in the app.
    const ids = mayHaveBeenSent(error) ? [] : taken.filter(({ isYoung }) => isYoung).map(({ id }) => id);
    await retryWhileDatabaseAway(() =>
      db().notification.updateMany({ where: { id: { in: ids } }, data: { emailedAt: null } }),
    );
    throw error;
  }
  log().info({ userId, workspaceId, count: taken.length }, 'notifications.mailed');
}

async function send({ userId, workspaceId, ids }: Whose & { ids: string[] }): Promise<void> {
  const { BASE_URL, SERVICE_NAME } = settings();
  const [user, workspace, rows] = await Promise.all([
    db().user.findUniqueOrThrow({ where: { id: userId }, select: { name: true, email: true } }),
    db().workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { name: true } }),
    db().notification.findMany({
      where: { id: { in: ids } },
      select: notificationSelect,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      relationLoadStrategy: 'join',
    }),
  ]);
  const from = serviceSender();
  await sendMail({
    from,
    to: { name: user.name, address: user.email },
    ...unseenMail({
      unseen: await notificationViews(db(), rows),
      recipientName: user.name,
      workspaceName: workspace.name,
      serviceName: SERVICE_NAME,
      baseUrl: BASE_URL,
    }),
    messageId: `<${rows[0]?.id ?? ids[0]}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    references: [],
    autoSubmitted: 'auto-generated',
  });
}

/** So many notifications are in a mail; of the others it says how many there are. */
const LISTED_MAX = 10;

/** What the mail needs to know. `unseen`: newest first, all of them. */
type UnseenMailFacts = {
  unseen: Pick<NotificationView, 'sentence' | 'href' | 'createdAt'>[];
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  baseUrl: string;
};

/** Writes the mail to a teammate about what they have not seen in the app. */
function unseenMail(facts: UnseenMailFacts): { subject: string; text: string } {
  const { unseen, recipientName, workspaceName, serviceName, baseUrl } = facts;
  const listed = unseen.slice(0, LISTED_MAX);
  const more = unseen.length - listed.length;
  const [first] = listed;
  const paragraphs = [
    `Hello ${recipientName},`,
    `New for you in ${workspaceName}:`,
    ...listed.map(({ sentence, href, createdAt }) =>
      [sentence, formatTimestamp(createdAt), ...(href ? [`${baseUrl}${href}`] : [])].join('\n'),
    ),
    ...(more > 0 ? [`And ${more} more: ${baseUrl}/inbox`] : []),
    `You are receiving this because you did not open these in ${serviceName} within a few minutes.\n${serviceName}`,
  ];
  const subject =
    unseen.length === 1 && first
      ? oneLine(first.sentence)
      : `You have ${unseen.length} new notifications in ${workspaceName}`;
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

/** Characters of a subject: what mail programs show of it. */
const SUBJECT_MAX_LENGTH = 120;

/** A sentence as a subject; what contacts wrote into it may have lines, and be long. */
function oneLine(sentence: string): string {
  const line = [
    ...sentence
      .slice(0, 10 * SUBJECT_MAX_LENGTH)
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ];
  return line.length > SUBJECT_MAX_LENGTH
    ? `${line.slice(0, SUBJECT_MAX_LENGTH - 1).join('')}…`
    : line.join('');
}
