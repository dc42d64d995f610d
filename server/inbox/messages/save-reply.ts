import type { FormattedText } from '#server/contract/formatted-text.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, Refusal } from '#server/core/errors.ts';
import type { OutgoingTemplate } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import {
  assign,
  type Change,
  changeOf,
  joinChanges,
  setStatus,
} from '#server/inbox/conversations/changes.ts';
import { type LockedConversation, lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { planChange } from '#server/inbox/conversations/persist-change.ts';
import { fileRows } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { outgoingMessage, type SavedMessage, sendJob } from '#server/inbox/messages/outgoing-message.ts';
import { sentEvents } from '#server/inbox/messages/reply-events.ts';
import { replyRecipients } from '#server/inbox/messages/reply-to.ts';
import { type WritingActor, writerOf } from '#server/teammates/actor.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

/** Maximum length of a reply, in characters (docs/spec.md §8). */
export const REPLY_MAX_LENGTH = 8_000;

/** Message of the refusal of copies on other channels than email. */
export const EMAIL_ONLY = 'Only emails can have copies (Cc and Bcc).';

export type NewReply = {
  workspaceId: string;
  id: string;
  actor: WritingActor;
  content: string;
  /** Its plain text is `content`. */
  formatted?: FormattedText | null;
  /** WhatsApp only: the approved template to send. */
  template?: OutgoingTemplate | null;
  /** Email only. `mailTo`: recipients instead of the contact. Undefined sends to the Reply-To that the conversation uses. */
  mailTo?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: StoredFile[];
  /** Id of the new message, if it is already known. */
  messageId?: string | undefined;
};

/**
 * Plans a reply as a message of its conversation. Assigns an unassigned conversation to the author, if there is one and the
 * workspace assigns on reply, and silences the AI agent. Stops the first response clock if the channel needs no sending. Locks the
 * author's membership until the commit, so that no conversation is assigned to a teammate who is leaving.
 * @param sends `caller`: the caller sends the message, which is `sending`, after the commit. `job`: a job, queued in the
 *   same transaction, sends the message even if the caller's process dies
 * @param solveAskedAt when the author requested to solve the conversation once the reply is sent; null for no request
 * @throws Refusal when the author may no longer reply, there are copies outside of email, or the conversation does not exist, is
 *   spam or deleted, or was merged
 */
export async function saveReply(
  tx: SqlDb,
  reply: NewReply & { sends: 'caller' | 'job'; solveAskedAt?: Date | null },
): Promise<Planned<SavedMessage>> {
  const { workspaceId, id, actor, files = [], sends, solveAskedAt = null, messageId, ...written } = reply;
  const writer = writerOf(actor);
  const author = writer && (await requireReplier(tx, workspaceId, writer));
  const conversation = await lockForChange(tx, { workspaceId, id, actor });
  const { record } = conversation;
  const { cc = [], bcc = [] } = written;
  if (record.channel !== 'email' && cc.length + bcc.length > 0) throw invalid({ cc: [EMAIL_ONLY] });
  const mailTo = reply.mailTo ?? replyRecipients(conversation);
  const now = new Date();
  const firstStatus = await CHANNELS[record.channel].firstStatus(tx, conversation);
  const sendStatus = firstStatus === 'sending' && sends === 'job' ? 'queued' : firstStatus;
  const { message, insert } = outgoingMessage({
    ...written,
    mailTo,
    cc: withoutRecipients(cc, mailTo),
    bcc: withoutRecipients(bcc, mailTo),
    id: messageId,
    workspaceId,
    conversationId: conversation.id,
    actor,
    files,
    sendStatus,
    solveAskedAt,
    now,
  });
  const assignee = conversation.assignOnReply && record.assignee === null ? author : null;
  const change = joinChanges([
    changeOf({
      columns: { lastMessageAt: now, waitingSince: null, aiAgentSilenced: true },
      rows: [insert, ...(await fileRows(tx, { workspaceId, messageId: message.id, files, now }))],
      jobs: sendStatus === 'queued' ? [sendJob(message.id, record)] : [],
      // Otherwise `finishSent` stops the clock when the message was sent. It keeps running while the message is held.
      clocks: sendStatus === null ? ['first_response_given'] : [],
      events: sentEvents(message),
      flowCauses: [{ kind: 'replied' }],
    }),
    assignee ? assign(record, { assignee, actor, now }) : changeOf(),
    sendStatus === null ? await solveAsAsked(tx, conversation, { askedAt: solveAskedAt, now }) : changeOf(),
  ]);
  return { ...planChange(conversation, { actor, change, now }), result: message };
}

/** Returns copies without the recipients of the email itself. */
export function withoutRecipients(copies: string[], recipients: string[]): string[] {
  return copies.filter((address) => !recipients.includes(address));
}

/**
 * Locks the membership of a teammate who writes to a contact, and returns their current name and address.
 * @throws Refusal when they may no longer reply. Other teammates and workflows read it too.
 */
export async function requireReplier(
  tx: SqlDb,
  workspaceId: string,
  { id, name }: Teammate,
): Promise<Teammate> {
  const found = await findAssignable(tx, { workspaceId, id });
  if (found) return found;
  throw new Refusal(
    'forbidden',
    `${name} can no longer reply: they have left this workspace or are now a viewer.`,
  );
}

/**
 * Returns the change of "Send and solve" after the reply was sent. Solves a locked conversation that is open or pending
 * and not merged, unless the contact has written since the request.
 * @param askedAt when the author requested this; null for no request
 */
export async function solveAsAsked(
  tx: SqlDb,
  { id, mergedIntoId, record }: LockedConversation,
  { askedAt, now }: { askedAt: Date | null; now: Date },
): Promise<Change> {
  const isUnsolved = record.status === 'open' || record.status === 'pending';
  if (askedAt === null || !isUnsolved || mergedIntoId !== null) return changeOf();
  const [written] = await tx.$queryRaw<unknown[]>`
    select 1 from messages
    where conversation_id = ${id}::uuid and direction = 'inbound' and created_at > ${askedAt}::timestamptz limit 1`;
  return written ? changeOf() : setStatus(record, { status: 'solved', now });
}
