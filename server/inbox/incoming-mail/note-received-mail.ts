import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { parseTestMailReferences } from '#server/inbox/channels/email/inbound-addresses.ts';
import type { MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/**
 * Records that mailboxes received an email, for "last email 4 minutes ago", and whether it was forwarded to them. Writes a mailbox
 * at most once in five seconds, so that busy mailboxes do not wait for one another's rows. Open settings pages are told of the
 * first email.
 */
export async function noteMailReceived(recipients: MailRecipient[]): Promise<void> {
  const mailboxIds = recipients.flatMap(({ mailboxId }) => mailboxId ?? []);
  if (mailboxIds.length === 0) return;
  const reached = recipients.filter((each) => each.kind === 'mailbox');
  const idsOf = (each: typeof reached) => each.flatMap(({ mailboxId }) => mailboxId ?? []);
  const forwarded = idsOf(reached.filter(({ isForwarded }) => isForwarded));
  const isForwarded = Prisma.sql`case when id = any(${forwarded}::uuid[]) then true
    when id = any(${idsOf(reached)}::uuid[]) then false else is_forwarded end`;
  const noted = await sql().$queryRaw<{ workspaceId: string; isFirst: boolean }[]>`
    with due as (
      select id, last_received_at is null as is_first, ${isForwarded} as is_forwarded from mailboxes
      where id = any(${mailboxIds}::uuid[])
        and (last_received_at is null or last_received_at < now() - interval '5 seconds'
          or is_forwarded <> ${isForwarded})
      order by id for no key update skip locked)
    update mailboxes m set last_received_at = now(), is_forwarded = due.is_forwarded from due where m.id = due.id
    returning m.workspace_id as "workspaceId", due.is_first as "isFirst"`;
  for (const { workspaceId, isFirst } of noted) if (isFirst) publish(workspaceId, 'channels');
}

/** Age up to which a test email counts, in ms: mail servers retry for days, but nobody waits for the result then. */
const TEST_MAIL_MS = 86_400_000;

/**
 * Records that a test email arrived. It makes no conversation, in whichever mailbox of the workspace it arrives.
 * @returns false for any other email
 */
export async function noteTestReceived(
  workspaceId: string,
  { references, inReplyTo }: Pick<ParsedMail, 'references' | 'inReplyTo'>,
): Promise<boolean> {
  const ids = parseTestMailReferences([...references, ...inReplyTo]);
  if (ids.length === 0) return false;
  const { count } = await db().mailbox.updateMany({
    where: { id: { in: ids }, workspaceId, testSentAt: { gt: new Date(Date.now() - TEST_MAIL_MS) } },
    data: { testReceivedAt: new Date() },
  });
  if (count > 0) publish(workspaceId, 'channels');
  return count > 0;
}
