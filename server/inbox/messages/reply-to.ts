import { requireEmail } from '#server/contract/parse-email.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  withLockedConversation,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import type { ReceivedMail } from '#server/inbox/messages/incoming-message.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

/** Returns the addresses that replies of teammates and workflows are sent to instead of the contact's; empty for the contact's. */
export function replyRecipients({
  replyTo,
  usesReplyTo,
}: Pick<LockedConversation, 'replyTo' | 'usesReplyTo'>): string[] {
  return usesReplyTo ? replyTo : [];
}

/**
 * Returns the address of a person other than the contact who wrote an email of this conversation, and may be answered.
 * @throws Refusal when no such person wrote here, or their address is not verified
 */
export async function requireAuthor(
  tx: SqlDb,
  { conversationId, typed }: { conversationId: string; typed: string },
): Promise<string> {
  const address = requireEmail(typed);
  const [{ wrote }] = await tx.$queryRaw<[{ wrote: boolean }]>`
    select ${wroteHere(Prisma.sql`${conversationId}::uuid`, Prisma.sql`${address}`)} as wrote`;
  if (wrote) return address;
  throw invalid({
    to: [`${shownEmail(address)} did not write in this conversation. Choose who gets the reply.`],
  });
}

/** Returns the condition that a person other than the contact wrote in a conversation, with an address that may be answered. */
export function wroteHere(conversationId: Prisma.Sql, address: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`exists (
    select from messages a
    where a.conversation_id = ${conversationId} and a.direction = 'inbound' and a.author_kind = 'contact'
      and a.author_name is not null and a.author_address = ${address} and a.sender_verified is distinct from false and not a.automatic)`;
}

/** Returns the change that sends replies to the Reply-To of the contact's newest email, or to the contact. */
function setReplyTo(
  conversation: LockedConversation,
  next: Pick<LockedConversation, 'replyTo' | 'usesReplyTo'>,
): Change {
  const addresses = replyRecipients(next);
  return changeOf({
    columns: { replyTo: next.replyTo, usesReplyTo: next.usesReplyTo },
    entries: isSame(addresses, replyRecipients(conversation))
      ? []
      : [{ kind: 'reply_address_set', data: { addresses } }],
  });
}

/**
 * Sends the replies of a conversation to the Reply-To of the contact's newest email, or to the contact's address.
 * @throws Refusal when the conversation does not exist or was merged, or no Reply-To is known
 */
export async function chooseReplyTo(choice: {
  workspaceId: string;
  id: string;
  isUsed: boolean;
  actor: PersonalActor;
}): Promise<void> {
  const { isUsed: usesReplyTo, actor } = choice;
  await withLockedConversation(choice, async (tx, conversation) => {
    const { replyTo } = conversation;
    if (replyTo.length === 0)
      throw invalid({ to: ['The contact’s newest email asks for no other address.'] });
    const change = setReplyTo(conversation, { replyTo, usesReplyTo });
    await persistChange(tx, conversation, { actor, change, now: new Date() });
  });
}

/**
 * Returns the change of where replies are sent after an email (docs/rulings.md 3.35). Only the contact's own emails count, not
 * those of others in the conversation. One from an address that the contact has by a merge asks to answer that address. An unverified email cannot redirect an existing conversation to another address:
 * a teammate can choose its Reply-To in the composer. The choice of a teammate stays while the contact asks for the same.
 */
export function changeReplyTo(
  conversation: LockedConversation,
  { mail, isNew, isFromContact }: { mail: ReceivedMail | undefined; isNew: boolean; isFromContact: boolean },
): Change {
  if (!mail) return changeOf();
  const { senderVerified } = mail;
  const replyTo = askedBy(mail, isFromContact ? (conversation.record.contact?.email ?? null) : null);
  if (isSame(replyTo, conversation.replyTo) || !(isNew || isFromContact)) return changeOf();
  const usesReplyTo = replyTo.length > 0 && (isNew || senderVerified === true);
  return setReplyTo(conversation, { replyTo, usesReplyTo });
}

/** Returns the addresses that an email wants answers at: its Reply-To, or its author's if the contact has it beside `email`. */
function askedBy({ replyTo = [], author = null }: ReceivedMail, email: string | null): string[] {
  const isOther = email !== null && author !== null && author !== email;
  return replyTo.length === 0 && isOther ? [author] : replyTo;
}

function isSame(addresses: readonly string[], others: readonly string[]): boolean {
  return addresses.length === others.length && addresses.every((address) => others.includes(address));
}
