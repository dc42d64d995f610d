import type { Prisma } from '#server/generated/prisma/client.ts';
import { readSignedAddress } from '#server/inbox/channels/email/inbound/signed-address.ts';
import { COPIES_MAX } from '#server/inbox/messages/parse-copies.ts';

/** What of a conversation says who is offered a copy. */
export const copiesSelect = {
  channel: true,
  contact: { select: { email: true } },
  workspace: { select: { mailboxes: { select: { address: true } } } },
  messages: {
    select: { direction: true, mailTo: true, cc: true, senderVerified: true },
    where: { automatic: false, authorKind: { in: ['contact', 'teammate'] } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 1,
  },
} satisfies Prisma.ConversationSelect;

type Conversation = Prisma.ConversationGetPayload<{ select: typeof copiesSelect }>;

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
export function suggestCopies({ channel, contact, workspace, messages }: Conversation): string[] {
  const [newest] = messages;
  if (channel !== 'email' || !newest || newest.senderVerified === false) return [];
  const { direction, mailTo, cc } = newest;
  const mailboxes = new Set(workspace.mailboxes.map(({ address }) => address));
  const isOurs = (address: string) => mailboxes.has(address) || readSignedAddress(address) !== undefined;
  const isForwarded = direction === 'inbound' && ![...mailTo, ...cc].some(isOurs);
  const named = new Set(isForwarded ? cc : [...mailTo, ...cc]);
  return [...named].filter((address) => address !== contact?.email && !isOurs(address)).slice(0, COPIES_MAX);
}
