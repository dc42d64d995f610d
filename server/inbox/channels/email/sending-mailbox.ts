import { log } from '#server/core/log.ts';
import type { MailSignature } from '#server/core/mail/send-mail.ts';
import { unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { OutgoingMailbox } from '#server/inbox/channels/outgoing-message.ts';

/** What must be selected of a mailbox to send from it. */
export const sendingMailboxSelect = {
  address: true,
  name: true,
  emailDomain: {
    select: { id: true, domain: true, dkimSelector: true, dkimPrivateKey: true, dkimCheckedAt: true },
  },
} satisfies Prisma.MailboxSelect;

type SealedMailbox = Prisma.MailboxGetPayload<{ select: typeof sendingMailboxSelect }>;

/** A mailbox with the key of its domain opened. */
export function openMailbox(mailbox: SealedMailbox | null): OutgoingMailbox | null {
  if (!mailbox) return null;
  const { address, name, emailDomain } = mailbox;
  return { address, name, dkim: emailDomain && openKey(emailDomain) };
}

/**
 * The key of a domain whose record was found in the DNS: without the record a signature would count as a broken one. A
 * key that cannot be read keeps no mail from leaving, as an unsigned mail is better than none; the operator finds why.
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
