import { planEvents } from '#server/contract/record-events.ts';
import type { Planned } from '#server/core/database/planned.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';
import type { ConversationEvent } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { SavedMessage } from '#server/inbox/messages/outgoing-message.ts';
import { replyRecord } from '#server/inbox/messages/reply-record.ts';
import { causeOf, causeOfAuthor } from '#server/teammates/actor.ts';

/** Returns `reply.sent` for a message that its channel sends by saving it. */
export function sentEvents(message: SavedMessage): ConversationEvent[] {
  return message.sendStatus === null ? [{ key: 'reply.sent', details: { reply: replyRecord(message) } }] : [];
}

type Reply = Omit<SavedMessage, 'sendStatus'> & {
  direction: string;
  authorKind: ActorKind;
} & Parameters<typeof causeOfAuthor>[0];

/**
 * Plans `reply.sent` or, with an error, `reply.failed`. Neither for a forward or a message of the service, such as a request
 * for a rating. A failure is caused by the service: a program that leaves out its own events learns about its own replies.
 */
export function planReplyEvent({
  conversation,
  message,
  deliveryError,
  sendStatus,
  now,
}: {
  conversation: LockedConversation;
  message: Reply;
  sendStatus: 'sent' | 'failed' | null;
  deliveryError?: string;
  now: Date;
}): Planned<null> {
  const { workspaceId, isTest, removal, record } = conversation;
  const isReply = message.direction === 'outbound' && message.authorKind !== 'automatic';
  if (!isReply || isTest || removal !== null) return { result: null, parts: {} };
  const reply = replyRecord({ ...message, sendStatus, deliveryError: deliveryError ?? null });
  const payload = { conversation: record, reply };
  const isFailed = sendStatus === 'failed';
  return planEvents(
    {
      workspaceId,
      events: [{ key: isFailed ? 'reply.failed' : 'reply.sent', payload }],
      cause: isFailed ? causeOf({ kind: 'automatic' }) : causeOfAuthor(message),
      now,
    },
    null,
  );
}
