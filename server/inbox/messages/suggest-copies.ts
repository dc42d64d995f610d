import type { Db } from '#server/ground/db.ts';
import { readSignedAddress } from '#server/inbox/channels/email/inbound/signed-address.ts';
import { COPIES_MAX } from '#server/inbox/messages/parse-copies.ts';

/**
 * Who is offered a copy of a teammate's next mail in a conversation: everyone the newest mail was addressed to, ours or
 * theirs, without the contact, the workspace's mailboxes and addresses that we made up for replies and bounces. Where none
 * of the recipients is ours, the mail was forwarded to us: whom it was sent to forwards, and gets no copy. Hidden copies
 * are never offered again. What machines, workflows, flows and the AI agent wrote counts for nothing, and a mail whose
 * sender is not verified names nobody: a stranger must not choose who reads our replies.
 *
 * The composer alone asks: workflows and the AI agent reply to the contact only, as nobody has looked at who else would
 * read it.
 * @returns addresses in lowercase, each once, as many as a reply may have
 */
export async function suggestCopies(
  db: Db,
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<string[]> {
  const [newest] = await db.$queryRaw<Newest[]>`
    select m.direction = 'inbound' as "isTheirs", coalesce(m.mail_to, '{}') as "to", coalesce(m.cc, '{}') as cc,
      m.sender_verified is false as "isNotVerified", p.email as "contactEmail",
      array(select b.address from mailboxes b where b.workspace_id = c.workspace_id) as mailboxes
    from messages m
    join conversations c on c.id = m.conversation_id
    left join contacts p on p.id = c.contact_id
    where m.conversation_id = ${conversationId}::uuid and m.workspace_id = ${workspaceId}::uuid
      and not m.automatic and m.author_kind in ('contact', 'teammate')
    order by m.created_at desc, m.id desc limit 1`;
  if (!newest || newest.isNotVerified) return [];
  const { isTheirs, to, cc, contactEmail, mailboxes } = newest;
  const isOurs = (address: string) => mailboxes.includes(address) || readSignedAddress(address) !== undefined;
  const isForwarded = isTheirs && ![...to, ...cc].some(isOurs);
  const named = new Set(isForwarded ? cc : [...to, ...cc]);
  return [...named].filter((address) => address !== contactEmail && !isOurs(address)).slice(0, COPIES_MAX);
}

type Newest = {
  isTheirs: boolean;
  to: string[];
  cc: string[];
  isNotVerified: boolean;
  contactEmail: string | null;
  mailboxes: string[];
};
