import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel, MessageDirection } from '#server/generated/prisma/enums.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { COPIES_MAX } from '#server/inbox/messages/parse-copies.ts';

/** What of a conversation says who is offered a copy. */
export type Copied = {
  channel: Channel;
  contact: { email: string | null } | null;
  /** The addresses of the workspace's mailboxes. */
  mailboxes: string[];
  /** The newest that a person wrote. */
  newest: {
    direction: MessageDirection;
    mailTo: string[];
    cc: string[];
    senderVerified: boolean | null;
  } | null;
};

/** Of it the mailboxes and the newest message, of `conversations c`. */
export const COPIES_COLUMNS = Prisma.raw(`
  array(select b.address from mailboxes b where b.workspace_id = c.workspace_id) as mailboxes,
  (select json_build_object('direction', m.direction, 'mailTo', m.mail_to, 'cc', m.cc, 'senderVerified', m.sender_verified)
    from messages m where m.conversation_id = c.id and not m.automatic and m.author_kind in ('contact', 'teammate')
    order by m.created_at desc, m.id desc limit 1) as newest`);

/**
 * Who is offered a copy of a teammate's next mail in a conversation: everyone the newest mail was addressed to, ours or
 * theirs, without the contact, the workspace's mailboxes and addresses that we made up for replies and bounces. Where none
 * of the recipients is ours, the mail was forwarded to us: whom it was sent to forwards, and gets no copy. Hidden copies
 * are never offered again. What machines, workflows, flows and the AI agent wrote counts for nothing, and a mail whose
 * sender is not verified names no one: a stranger must not choose who reads our replies.
 *
 * The composer alone asks: workflows and the AI agent reply to the contact only, as no one has looked at who else would
 * read it.
 * @returns addresses in lowercase, each once, as many as a reply may have
 */
export function suggestCopies({ channel, contact, mailboxes, newest }: Copied): string[] {
  if (channel !== 'email' || !newest || newest.senderVerified === false) return [];
  const { direction, mailTo, cc } = newest;
  const isOurs = (address: string) =>
    mailboxes.includes(address) || parseSignedAddress(address) !== undefined;
  const isForwarded = direction === 'inbound' && ![...mailTo, ...cc].some(isOurs);
  const named = new Set(isForwarded ? cc : [...mailTo, ...cc]);
  return [...named].filter((address) => address !== contact?.email && !isOurs(address)).slice(0, COPIES_MAX);
}
