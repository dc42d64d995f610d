import { validate as isUuid } from 'uuid';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { changeOf } from '#server/inbox/conversations/changes.ts';
import { lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { ATTACHMENTS_MAX_BYTES, TOO_LARGE_TOGETHER } from '#server/inbox/files/content-types.ts';
import { outgoingMessage, sendJob } from '#server/inbox/messages/outgoing-message.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';
import { REPLY_MAX_LENGTH, requireReplier } from '#server/inbox/messages/save-reply.ts';
import { parseContent, parseTypedEmail } from '#server/inbox/messages/schedule-reply.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

const OWN_ADDRESS = 'This address leads back to this workspace. Give the address of someone else.';
const TOO_MANY = 'You have forwarded many messages within an hour. Try again later.';
const FORWARDED = 'This is a forward. Forward the original message instead.';

/**
 * Forwards a message with its files by email to a third party, whatever the channel of the conversation. The forward is
 * a row of `messages` with its own direction: it is not a message to the contact, so it changes neither status, assignee,
 * SLA clocks nor the list's order, and emits no event. A job sends it like other email, with the same retries.
 * @param id id of the forward, if the page created it
 * @param to as typed
 * @param note text above the forwarded message; may be empty
 * @throws Refusal under `to`, `content` or `files`; when the message does not exist, the conversation was merged, or the
 *   teammate may no longer reply
 * @returns the id of the forward
 */
export async function forwardMessage(forward: NewForward): Promise<{ id: string }> {
  const { workspaceId, conversationId: id, messageId, actor } = forward;
  const to = parseTypedEmail('to', forward.to);
  const content = parseContent(forward.note, { label: 'note', max: REPLY_MAX_LENGTH, mayBeEmpty: true });
  if (!isUuid(messageId)) throw notFound('The message');
  if (!(await consumeLimit('forward', actor.teammate.id)).allowed) throw invalid({ to: [TOO_MANY] });
  return sqlTransaction(async (tx) => {
    await requireReplier(tx, workspaceId, actor.teammate);
    const conversation = await lockForChange(tx, { workspaceId, id, actor });
    if ((await findAddressOwner(tx, { workspaceId, email: to })) === 'mailbox') {
      throw invalid({ to: [OWN_ADDRESS] });
    }
    const original = await findOriginal(tx, { workspaceId, conversationId: conversation.id, messageId });
    if (!original) throw notFound('The message');
    if (original.isForward) throw invalid({ message: [FORWARDED] });
    if (original.bytes > ATTACHMENTS_MAX_BYTES) throw invalid({ files: [TOO_LARGE_TOGETHER] });
    const firstStatus = await CHANNELS.email.firstStatus(tx, conversation);
    const sendStatus = firstStatus === 'sending' ? 'queued' : firstStatus;
    const now = new Date();
    const { message, insert } = outgoingMessage({
      id: forward.id,
      workspaceId,
      conversationId: conversation.id,
      actor,
      content,
      forward: { messageId, to },
      sendStatus,
      now,
    });
    const jobs = sendStatus === 'queued' ? [sendJob(message.id, { channel: 'email' })] : [];
    await persistChange(tx, conversation, { actor, change: changeOf({ rows: [insert], jobs }), now });
    return { id: message.id };
  });
}

type NewForward = {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  id?: string | undefined;
  actor: PersonalActor;
  to: string;
  note: string;
};

/** Finds the message to forward, also one of a merged conversation, with the total size of its files. */
async function findOriginal(
  tx: SqlDb,
  which: { workspaceId: string; conversationId: string; messageId: string },
): Promise<{ isForward: boolean; bytes: number } | undefined> {
  const [found] = await tx.$queryRaw<{ isForward: boolean; bytes: number }[]>`
    select m.direction = 'forward' as "isForward",
      (select coalesce(sum(a.size_bytes), 0)::float8 from attachments a where a.message_id = m.id) as bytes
    from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
    where m.workspace_id = ${which.workspaceId}::uuid and m.id = ${which.messageId}::uuid
      and ${which.conversationId}::uuid in (c.id, c.merged_into_id)`;
  return found;
}
