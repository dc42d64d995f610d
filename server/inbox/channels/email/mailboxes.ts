import type { SqlDb } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import type { Mail, MailSignature } from '#server/core/mail/send-mail.ts';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Plan } from '#server/generated/prisma/enums.ts';
import type { OutgoingMailbox } from '#server/inbox/channels/channel-adapter.ts';
import { inboundHost } from '#server/inbox/channels/email/inbound-addresses.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { PLANS } from '#server/teammates/plans.ts';

/** A mailbox, and whether it can send. */
type Mailbox = { id: string; canSend: boolean };

/** `mailboxId` may be an SQL expression. */
type Choice = { workspaceId: string; mailboxId: string | Prisma.Sql | null };

/**
 * Finds the mailbox of a conversation, or the default mailbox of the workspace; null when there is neither. A mailbox
 * can send when the plan includes email and its domain is verified (`docs/spec.md` §1, who may connect, 4). That of a test
 * workspace needs no domain, because its email ends in the outbox.
 */
export async function findMailbox(db: SqlDb, choice: Choice): Promise<Mailbox | null> {
  const [mailbox] = await db.$queryRaw<MailboxRow[]>(mailboxOf(choice));
  return mailbox ? judgedMailbox(mailbox) : null;
}

export type MailboxRow = { id: string; plan: Plan; isVerified: boolean };

/** Returns the SQL for `MailboxRow`. */
export function mailboxOf({ workspaceId, mailboxId }: Choice): Prisma.Sql {
  return Prisma.sql`
    select m.id, w.plan, d.verified_at is not null or w.test_of_id is not null as "isVerified"
    from mailboxes m
    join workspaces w on w.id = m.workspace_id
    left join email_domains d on d.workspace_id = m.workspace_id and d.id = m.email_domain_id
    where m.workspace_id = ${workspaceId}::uuid
      and case when ${mailboxId}::uuid is null then m.is_default else m.id = ${mailboxId}::uuid end
    limit 1`;
}

export function judgedMailbox({ id, plan, isVerified }: MailboxRow): Mailbox {
  return { id, canSend: PLANS[plan].emailSending && isVerified };
}

/** Columns that `openMailbox` needs. */
export const sendingMailboxSelect = {
  address: true,
  name: true,
  isForwarded: true,
  emailDomain: {
    select: { id: true, domain: true, dkimSelector: true, dkimPrivateKey: true, dkimCheckedAt: true },
  },
} satisfies Prisma.MailboxSelect;

type SealedMailbox = Prisma.MailboxGetPayload<{ select: typeof sendingMailboxSelect }>;

/** Decrypts the signing key of a mailbox's domain. */
export function openMailbox(mailbox: SealedMailbox | null): OutgoingMailbox | null {
  if (!mailbox) return null;
  const { address, name, isForwarded, emailDomain } = mailbox;
  return { address, name, isForwarded, dkim: emailDomain && openKey(emailDomain) };
}

/**
 * Returns the signing key when its DNS record was found: without the record, a signature would count as invalid. A key
 * that cannot be decrypted is logged and the mail is sent unsigned, rather than not at all.
 */
function openKey(domain: NonNullable<SealedMailbox['emailDomain']>): MailSignature | null {
  const { id, dkimSelector: selector, dkimPrivateKey, dkimCheckedAt } = domain;
  if (selector === null || dkimPrivateKey === null || dkimCheckedAt === null) return null;
  try {
    return { domain: domain.domain, selector, privateKey: unseal(dkimPrivateKey, id, secretKeys()) };
  } catch (error) {
    log().error({ err: error, emailDomainId: id }, 'mail.not_signed');
    return null;
  }
}

/**
 * Returns the signed reply and bounce addresses (`docs/rulings.md` 3.23) when this installation receives mail. Without
 * them, replies and bounces go to the mailbox: the server that forwards a mailbox knows no other address of its domain. Its
 * bounces come to the service's own domain if the mail is signed, as SPF then proves nothing about From.
 * @param messageId the message that a bounce is about. Null for an email that is no message, such as a rating request: its bounces are dropped
 */
export function returnAddresses(
  { address, name, isForwarded, dkim }: OutgoingMailbox,
  { conversationId, messageId }: { conversationId: string; messageId: string | null },
): Pick<Mail, 'replyTo' | 'bouncesTo'> {
  if (settings().INBOUND_SMTP_PORT === undefined) return {};
  const bouncesTo = (domain: string) => signedAddress('bounce', messageId ?? conversationId, domain);
  if (isForwarded) {
    const host = dkim && inboundHost();
    return host ? { bouncesTo: bouncesTo(host) } : {};
  }
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return {
    replyTo: { name, address: signedAddress('reply', conversationId, domain) },
    bouncesTo: bouncesTo(domain),
  };
}
