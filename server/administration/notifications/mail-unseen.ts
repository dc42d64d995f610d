import {
  announceable,
  type NotificationView,
  notificationSelect,
  notificationViews,
} from '#server/administration/notifications/list-notifications.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { isTemporary, mayHaveBeenSent } from '#server/core/mail/send-mail.ts';
import { formatTimestamp, mailInTurn, sendServiceMail } from '#server/core/mail/service-mail.ts';
import type { NotificationContent } from '#server/teammates/notification-content.ts';
import { DEFAULT_CHOICES } from '#server/teammates/notification-kinds.ts';
import { isQuiet, type QuietHours } from '#server/teammates/notification-preferences.ts';
import { findVisibilities } from '#server/teammates/visibility.ts';

/** Minutes after which an unseen notification is emailed. */
const UNSEEN_MINUTES = 10;
/** Hours after which a notification is no longer emailed. Bounds the number of rows to search. */
const MAX_AGE_HOURS = 24;
/** Age in minutes up to which notifications of a refused email are emailed again. */
const RETRY_MINUTES = 60;
/** Teammates per run. */
const RECIPIENTS_MAX = 200;

/**
 * Kinds that are emailed whatever the teammate's preferences. Preferences decide about others, unless
 * `mailNotifications` emails them.
 */
const ALWAYS_MAILED: NotificationContent['kind'][] = ['sla_breached', 'reply_not_sent', 'message_failed'];

type Recipient = { userId: string; workspaceId: string };

/**
 * Recipients whose email failed in the last run of this process. They come last, so that they do not hold up
 * the others.
 */
let failedBefore: string[] = [];

/**
 * Condition that a notification `n` is emailed, with the preferences `p`. An assignment only as long as it is true and there is
 * something to do, a missed SLA target unless its clock was stopped since, a failed message unless it was sent again, and a reply that
 * was not sent unless nothing unsent is left, because somebody sent, edited or discarded it. $1: always emailed kinds. $2: defaults.
 */
const IS_MAILED = `(n.kind = any ($1) or n.kind = any (coalesce(p.email, $2))) and (n.kind <> 'assigned' or exists (
    select from conversations c
    where c.id = n.conversation_id and c.assignee_id = n.user_id and c.status in ('open', 'pending') and c.removal is null))
  and (n.kind <> 'sla_breached' or (
    select k.stopped_at from sla_clocks k where k.conversation_id = n.conversation_id and k.kind::text = n.data ->> 'limit'
    order by k.started_at desc limit 1) is null)
  and (n.kind <> 'message_failed' or not exists (
    select from messages m
    where m.id = (n.data ->> 'messageId')::uuid and m.send_status = 'sent' and not m.arrival_doubtful))
  and (n.kind <> 'reply_not_sent' or exists (
    select from pending_replies r where r.conversation_id = n.conversation_id and r.problem is not null))`;

/** Finds recipients with unseen notifications who have quiet hours. `FIND` leaves out those whose quiet hours it is. */
const WITH_QUIET_HOURS = `
  select p.user_id as "userId", p.workspace_id as "workspaceId", p.quiet_from as "from", p.quiet_until as "until",
    p.time_zone as "timeZone"
  from notification_preferences p
  where p.quiet_from is not null and exists (
    select from notifications n
    where n.user_id = p.user_id and n.workspace_id = p.workspace_id and n.read_at is null and n.emailed_at is null
      and n.created_at > now() - make_interval(hours => ${MAX_AGE_HOURS}))`;

/**
 * Finds members with notifications that were unseen for long enough, through the partial index of unseen
 * ones.
 */
const FIND = `
  select n.user_id as "userId", n.workspace_id as "workspaceId"
  from notifications n
  join members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id
  join workspaces w on w.id = n.workspace_id and w.deleted_at is null
  left join notification_preferences p on p.workspace_id = n.workspace_id and p.user_id = n.user_id
  where n.read_at is null and n.emailed_at is null and ${IS_MAILED}
    and n.user_id || '/' || n.workspace_id <> all ($4)
    and n.created_at <= now() - make_interval(mins => ${UNSEEN_MINUTES})
    and n.created_at > now() - make_interval(hours => ${MAX_AGE_HOURS})
  group by n.user_id, n.workspace_id
  order by (n.user_id || '/' || n.workspace_id) = any ($3), min(n.created_at)
  limit ${RECIPIENTS_MAX}`;

/** Marks all unseen notifications of one recipient as emailed, so that no other worker emails them. */
const CLAIM = `
  update notifications n set emailed_at = now()
  from members m
  left join notification_preferences p on p.workspace_id = m.workspace_id and p.user_id = m.user_id
  where m.user_id = $3 and m.workspace_id = $4 and n.user_id = $3 and n.workspace_id = $4
    and n.read_at is null and n.emailed_at is null and ${IS_MAILED}
    and n.created_at > now() - make_interval(hours => ${MAX_AGE_HOURS})
  returning n.id, n.created_at > now() - make_interval(mins => ${RETRY_MINUTES}) as "canRetry"`;

/**
 * Emails teammates the notifications that they have not seen in the app for ten minutes, by their preferences: one email per
 * teammate and workspace with all unseen ones. The rows are marked before the email is sent, so that two
 * workers never send it twice and a crash loses at most this email. After a temporary failure, notifications of the last
 * day are emailed again, because they may have waited for the end of quiet hours; after a refusal, those of the last hour.
 * Finishes within twenty seconds; the next run continues.
 */
export async function mailUnseen(): Promise<void> {
  const quiet = (await findQuiet(new Date())).map(keyOf);
  const { rows: waiting } = await pool().query<Recipient>(FIND, [
    ALWAYS_MAILED,
    DEFAULT_CHOICES.email,
    failedBefore,
    quiet,
  ]);
  const failed: string[] = [];
  await mailInTurn(waiting, (recipient) =>
    mailTo(recipient).catch((error: unknown) => {
      failed.push(keyOf(recipient));
      log().warn({ err: error, ...recipient }, 'notifications.not_mailed');
    }),
  );
  failedBefore = failed;
}

/** Returns the recipients who are in their quiet hours. Their email waits until the quiet hours end. */
async function findQuiet(now: Date): Promise<Recipient[]> {
  const { rows } = await pool().query<Recipient & QuietHours>(WITH_QUIET_HOURS);
  return rows.filter((row) => isQuiet(row, now));
}

function keyOf({ userId, workspaceId }: Recipient): string {
  return `${userId}/${workspaceId}`;
}

async function mailTo({ userId, workspaceId }: Recipient): Promise<void> {
  const { rows: claimed } = await pool().query<{ id: string; canRetry: boolean }>(CLAIM, [
    ALWAYS_MAILED,
    DEFAULT_CHOICES.email,
    userId,
    workspaceId,
  ]);
  if (claimed.length === 0) return;
  try {
    await send({ userId, workspaceId, ids: claimed.map(({ id }) => id) });
  } catch (error) {
    // An unclear outcome is not retried: a missing email is better than a duplicate, as the app shows the
    // notifications.
    const again = claimed.filter(
      ({ canRetry }) => isTemporary(error) || (canRetry && !mayHaveBeenSent(error)),
    );
    const ids = again.map(({ id }) => id);
    await retryWhileDatabaseAway(() =>
      db().notification.updateMany({ where: { id: { in: ids } }, data: { emailedAt: null } }),
    );
    throw error;
  }
  log().info({ userId, workspaceId, count: claimed.length }, 'notifications.mailed');
}

async function send({ userId, workspaceId, ids }: Recipient & { ids: string[] }): Promise<void> {
  const { BASE_URL, SERVICE_NAME } = settings();
  // What the teammate sees now, not what they saw when they were notified.
  const visibilities = await findVisibilities({ workspaceId, userIds: [userId] });
  const [user, workspace, rows] = await Promise.all([
    db().user.findUniqueOrThrow({ where: { id: userId }, select: { name: true, email: true } }),
    db().workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { name: true } }),
    db().notification.findMany({
      where: { id: { in: ids }, ...announceable(visibilities.get(userId) ?? null) },
      select: notificationSelect,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      relationLoadStrategy: 'join',
    }),
  ]);
  if (rows.length === 0) return;
  await sendServiceMail({
    workspaceId,
    to: { name: user.name, address: user.email },
    ...unseenMail({
      unseen: await notificationViews(db(), rows),
      recipientName: user.name,
      workspaceName: workspace.name,
      serviceName: SERVICE_NAME,
      baseUrl: BASE_URL,
    }),
    id: rows[0]?.id,
  });
}

/** Maximum number of notifications in an email; the rest is only counted. */
const LISTED_MAX = 10;

/** Values of the email. `unseen`: all unseen notifications, newest first. */
type UnseenMailFacts = {
  unseen: Pick<NotificationView, 'sentence' | 'href' | 'createdAt'>[];
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  baseUrl: string;
};

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
    `You are receiving this because you did not open these in ${serviceName} within a few minutes. Choose what is emailed: ${baseUrl}/settings/notifications\n${serviceName}`,
  ];
  const subject =
    unseen.length === 1 && first
      ? oneLine(first.sentence)
      : `You have ${unseen.length} new notifications in ${workspaceName}`;
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

/** Maximum length of a subject in characters, about what mail clients show. */
const SUBJECT_MAX_LENGTH = 120;

/**
 * Makes a one-line subject of a sentence. The sentence can quote a contact's text, with line breaks and of
 * any length.
 */
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
