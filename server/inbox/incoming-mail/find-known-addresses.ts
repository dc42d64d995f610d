import type { Db } from '#server/core/database/prisma.ts';
import { findOwnAddresses } from '#server/inbox/channels/email/own-addresses.ts';
import type { KnownAddresses } from '#server/inbox/incoming-mail/choose-author.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/** Looks up what a workspace knows about the addresses of a mail. */
export async function findKnownAddresses(
  db: Db,
  { workspaceId, mail }: { workspaceId: string; mail: ParsedMail },
): Promise<KnownAddresses> {
  const { from, replyTo, rewritten } = mail;
  const named = [...replyTo, ...[...rewritten.originals, ...rewritten.lists].map(({ address }) => address)];
  const sender = from?.address ?? '';
  const addresses = [sender, ...named.map(({ address }) => address)];
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const [own, verified, forms] = await Promise.all([
    findOwnAddresses(db, { workspaceId, addresses }),
    db.emailDomain.count({ where: { workspaceId, domain, verifiedAt: { not: null } } }),
    db.emailForm.count({ where: { workspaceId, address: sender, isForm: true } }),
  ]);
  return {
    leadsBack: (address) => own.has(address),
    isForm: (address) => address === sender && forms > 0,
    isVerifiedDomain: (given) => given === domain && verified > 0,
  };
}
