import type { Db } from '#server/core/database/prisma.ts';
import { leadsBack } from '#server/inbox/channels/email/leads-back.ts';
import { leadsTo } from '#server/inbox/channels/email/own-addresses.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';
import type { KnownAddresses } from '#server/inbox/incoming-mail/choose-author.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

type Found = { mailboxes: { address: string }[]; isVerified: boolean; isForm: boolean; isSent: boolean };

/** Looks up what a workspace knows about the addresses of a mail. One statement. */
export async function findKnownAddresses(
  db: Db,
  { workspaceId, mail }: { workspaceId: string; mail: ParsedMail },
): Promise<KnownAddresses> {
  const { from, replyTo, rewritten, messageId } = mail;
  const named = [...replyTo, ...[...rewritten.originals, ...rewritten.lists].map(({ address }) => address)];
  const sender = from?.address ?? '';
  const addresses = [sender, ...named.map(({ address }) => address)];
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const [found] = await db.$queryRaw<Found[]>`
    select
      (select coalesce(json_agg(json_build_object('address', address)), '[]') from mailboxes
        where workspace_id = ${workspaceId}::uuid and ${leadsTo(...addresses)}) as mailboxes,
      exists (select from email_domains
        where workspace_id = ${workspaceId}::uuid and domain = ${domain} and verified_at is not null) as "isVerified",
      exists (select from email_forms
        where workspace_id = ${workspaceId}::uuid and address = ${sender} and is_form) as "isForm",
      exists (select from mail_references r join messages m on m.id = r.message_id
        where r.workspace_id = ${workspaceId}::uuid and r.message_id_header = ${messageId}::text
          and m.direction <> 'inbound') as "isSent"`;
  const mailboxes = found?.mailboxes ?? [];
  const own = new Set(addresses.filter((address) => leadsBack(address, mailboxes)));
  return {
    leadsBack: (address) => own.has(address),
    isReplyAddress: (address) => own.has(address) && parseSignedAddress(address) !== undefined,
    isSent: found?.isSent === true,
    isForm: (address) => address === sender && found?.isForm === true,
    isVerifiedDomain: (asked) => asked === domain && found?.isVerified === true,
  };
}
