import type { ReplyRecord, Teammate } from '#server/contract/record-schemas.ts';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import type { SendOutcome } from '#server/inbox/channels/channel-adapter.ts';
import { fillTemplate, listTemplates } from '#server/inbox/channels/whatsapp/templates.ts';
import type { SavedMessage } from '#server/inbox/messages/outgoing-message.ts';
import { replyRecord } from '#server/inbox/messages/reply-record.ts';
import { type NewReply, saveReply } from '#server/inbox/messages/save-reply.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/**
 * Replies to a contact on the conversation's channel. Saves and commits the reply, then sends it (`deliverReply`). Assigns an
 * unassigned conversation to the author if the workspace assigns on reply (emits `conversation.assigned`), silences the AI
 * agent, and stops the first response clock once the reply was sent. Does not change the status (docs/spec.md §4.2, POST
 * replies; docs/rulings.md 3.8, 3.9).
 * @throws Refusal when the author may no longer reply, or the conversation does not exist, is spam or deleted, or was merged
 */
export async function sendReply(reply: NewReply): Promise<ReplyRecord> {
  return deliverReply(await planAndWrite((tx) => saveReply(tx, { ...reply, sends: 'caller' })));
}

/** Sends a saved reply whose caller sends it, and waits ten seconds at most. */
export async function deliverReply(saved: SavedMessage): Promise<ReplyRecord> {
  if (saved.sendStatus !== 'sending') return replyRecord(saved);
  const outcome = await sendMessage(saved.id, { notifies: false });
  return replyRecord({ ...saved, ...sendResult(outcome) });
}

/** Returns status and error for the response. */
function sendResult(outcome: SendOutcome) {
  if (outcome.status === 'deferred') return { sendStatus: null, deliveryError: null };
  if (outcome.status === 'failed') return { sendStatus: 'failed' as const, deliveryError: outcome.reason };
  return { sendStatus: outcome.status === 'sent' ? ('sent' as const) : null, deliveryError: null };
}

/**
 * Replies to a contact on WhatsApp with an approved template, which is delivered even outside the messaging window.
 * @param id id of the message, if the page created it
 * @param values values by placeholder, for example `1` or `first_name`
 * @throws Refusal as `listTemplates` and `sendReply` do, and for a missing or too long value
 */
export async function sendTemplate(template: {
  workspaceId: string;
  conversationId: string;
  id?: string | undefined;
  by: Teammate;
  name: string;
  language: string;
  values: Record<string, string>;
}): Promise<ReplyRecord> {
  const { workspaceId, conversationId, by } = template;
  const templates = await listTemplates({ workspaceId, conversationId });
  return sendReply({
    workspaceId,
    id: conversationId,
    actor: { kind: 'teammate', teammate: by },
    messageId: template.id,
    ...fillTemplate(templates, template),
  });
}

/**
 * Returns a saved reply as its response reports it now.
 * @returns `sending` while it is being sent, null when it was removed
 */
export async function findReply(which: {
  workspaceId: string;
  id: string;
}): Promise<ReplyRecord | 'sending' | null> {
  const message = await db().message.findFirst({
    where: which,
    select: {
      id: true,
      conversationId: true,
      content: true,
      createdAt: true,
      sendStatus: true,
      deliveryError: true,
    },
  });
  if (!message) return null;
  return message.sendStatus === 'sending' ? 'sending' : replyRecord(message);
}
