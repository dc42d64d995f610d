import type { SendOutcome } from '#server/channels/channel-adapter.ts';
import { CHANNELS } from '#server/channels/channels.ts';
import { assign } from '#server/conversations/assign.ts';
import { changeOf, joinChanges } from '#server/conversations/change.ts';
import { inConversation } from '#server/conversations/lock-conversation.ts';
import { writeChange } from '#server/conversations/write-change.ts';
import { type ReplyRecord, replyRecord } from '#server/messages/reply-record.ts';
import { type SavedMessage, saveOutgoingMessage } from '#server/messages/save-outgoing-message.ts';
import { sendMessage } from '#server/messages/send-message.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

/**
 * Replies to a contact on the conversation's own channel, at once: saved and committed first, then sent, ten
 * seconds at most. Takes an unassigned conversation when the workspace assigns on reply (then emits
 * `conversation.assigned`), ends the wait for a first response, and keeps the AI agent out from now on. The status
 * stays (spec.md §4.2, POST replies; decisions: conversations and contacts, 8 and 9).
 * @throws Refusal when there is no such conversation or it was merged
 */
export async function sendReply(given: {
  workspaceId: string;
  id: string;
  actor: PersonalActor;
  content: string;
}): Promise<ReplyRecord> {
  const saved = await saveReply(given);
  const outcome = saved.sendStatus === 'sending' ? await sendMessage(saved.id) : undefined;
  return replyRecord({ ...saved, ...reported(saved, outcome) });
}

async function saveReply({
  workspaceId,
  id,
  actor,
  content,
}: Parameters<typeof sendReply>[0]): Promise<SavedMessage> {
  return inConversation({ workspaceId, id }, async (tx, conversation) => {
    const now = new Date();
    const sendStatus = await CHANNELS[conversation.channel].firstStatus(tx, conversation);
    const message = await saveOutgoingMessage(tx, {
      workspaceId,
      conversationId: conversation.id,
      actor,
      content,
      sendStatus,
      now,
    });
    const takes = conversation.assignOnReply && conversation.assignee === null;
    const change = joinChanges([
      changeOf({
        columns: { lastMessageAt: now, aiAgentSilenced: true },
        clocks: ['first_response_given'],
      }),
      takes ? assign(conversation, { assignee: actor.teammate, actor, now }) : changeOf(),
    ]);
    await writeChange(tx, conversation, { actor, change, now });
    return message;
  });
}

/** What the answer says of the sending: what the channel said, else how the message stands. */
function reported({ sendStatus }: SavedMessage, outcome: SendOutcome | undefined) {
  if (!outcome) return { sendStatus, deliveryError: null };
  if (outcome.status === 'failed') return { sendStatus: 'failed' as const, deliveryError: outcome.reason };
  return { sendStatus: outcome.status === 'sent' ? ('sent' as const) : null, deliveryError: null };
}
