import { findSender, type Sender } from '#server/contacts/find-or-create-contact.ts';
import type { Tx } from '#server/core/database/db.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { addTimelineEntries } from '#server/inbox/conversations/timeline.ts';

/** What is known when a contact starts a conversation. */
export type ConversationDraft = {
  workspaceId: string;
  channel: Channel;
  contact: Sender;
  /** The contact is who a visitor says they are, by an address that no one verified. Without it: it is not so. */
  contactClaimed?: boolean;
  subject: string | null;
  /** The mailbox that was written to; only for email. */
  mailboxId: string | null;
  /** The provider's own id of the thread, for channels that have one. */
  externalThreadId: string | null;
  /** The account at the provider that it came in by, for channels that have some. */
  channelAccountId?: string | null;
  /** From testing the AI agent: contact and conversation are tests too, and emit no event. */
  isTest: boolean;
};

/**
 * Starts a conversation for a contact who writes. Its time limits start with it, where the workspace has some; one
 * that the team starts has none, as no one waits in it. Emits `contact.created` for someone new.
 * @returns the conversation, locked, and what is still to be written of it by `writeChange`, `conversation.created`
 *   among it
 */
export async function startConversation(
  tx: Tx,
  { contact: writer, ...given }: ConversationDraft,
  now: Date,
): Promise<{ conversation: LockedConversation; change: Change }> {
  const {
    workspaceId,
    channel,
    subject,
    mailboxId,
    externalThreadId,
    isTest,
    contactClaimed = false,
    channelAccountId = null,
  } = given;
  const contactId = await findSender(tx, { workspaceId, writer, isTest, now });
  const { id } = await tx.conversation.create({
    data: {
      workspaceId,
      channel,
      subject,
      contactId,
      contactClaimed,
      mailboxId,
      externalThreadId,
      channelAccountId,
      isTest,
      statusChangedAt: now,
      lastMessageAt: now,
      createdAt: now,
      updatedAt: now,
    },
    select: { id: true },
  });
  // Written at once, so that it comes before the contact's message.
  await addTimelineEntries(tx, {
    workspaceId,
    conversationId: id,
    actor: { kind: 'contact' },
    entries: [{ kind: 'created', data: {} }],
    now,
  });
  const change = changeOf({
    events: [{ key: 'conversation.created', details: {} }],
    clocks: isTest ? [] : ['start'],
  });
  return { conversation: await lockConversation(tx, { workspaceId, id }), change };
}
