import type { Tx } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import type { OutgoingTemplate } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import {
  assign,
  type Change,
  changeOf,
  joinChanges,
  setStatus,
} from '#server/inbox/conversations/changes.ts';
import {
  type LockedConversation,
  lockConversation,
  refuseMerged,
} from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { outgoingMessage, type SavedMessage, sendJob } from '#server/inbox/messages/outgoing-message.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

/** How long a reply may be, in characters (spec.md §8). */
export const REPLY_MAX_LENGTH = 8_000;

/** A reply as its author wrote it. */
export type NewReply = {
  workspaceId: string;
  id: string;
  actor: PersonalActor;
  content: string;
  /** WhatsApp only: the approved template that it is sent as. */
  template?: OutgoingTemplate | null;
  /** Email only: who gets a copy. */
  cc?: string[];
  bcc?: string[];
  /** Stored files that go with it. */
  files?: StoredFile[];
};

/**
 * Makes a reply a message of its conversation, in the transaction given: takes an unassigned conversation when the
 * workspace assigns on reply, ends the wait for a first response where saved is arrived, and keeps the AI agent out.
 * The author's membership is held until the transaction ends, so that no one takes a conversation while leaving.
 * @param sends who sends it once this is committed: `caller`, who finds it `sending`, or a `job`, queued here, with
 *   which nothing is lost when the caller's process ends in between
 * @param solveAskedAt when its author asked that it solves the conversation once it is sent; null: it does not
 * @throws Refusal when the author may not reply any more, there is no such conversation, or it was merged
 */
export async function saveReply(
  tx: Tx,
  {
    workspaceId,
    id,
    actor,
    content,
    template = null,
    cc = [],
    bcc = [],
    files = [],
    sends,
    solveAskedAt = null,
  }: NewReply & { sends: 'caller' | 'job'; solveAskedAt?: Date | null },
): Promise<SavedMessage> {
  const author = await findAssignable(tx, { workspaceId, id: actor.teammate.id });
  if (!author) throw new Refusal('forbidden', mayNotReply(actor.teammate.name));
  const conversation = refuseMerged(await lockConversation(tx, { workspaceId, id, actor }), actor);
  const { record } = conversation;
  const now = new Date();
  const firstStatus = await CHANNELS[record.channel].firstStatus(tx, conversation);
  const sendStatus = firstStatus === 'sending' && sends === 'job' ? 'queued' : firstStatus;
  const { message, insert } = outgoingMessage({
    workspaceId,
    conversationId: conversation.id,
    actor,
    content,
    template,
    cc,
    bcc,
    files,
    sendStatus,
    solveAskedAt,
    now,
  });
  const takes = conversation.assignOnReply && record.assignee === null;
  const change = joinChanges([
    changeOf({
      columns: { lastMessageAt: now, aiAgentSilenced: true },
      rows: [insert],
      jobs: sendStatus === 'queued' ? [sendJob(message.id)] : [],
      // Of what has yet to be sent the wait ends with what comes of that, and of what is held it goes on.
      clocks: sendStatus === null ? ['first_response_given'] : [],
    }),
    takes ? assign(record, { assignee: author, actor, now }) : changeOf(),
    sendStatus === null ? await solveAsAsked(tx, conversation, { askedAt: solveAskedAt, now }) : changeOf(),
  ]);
  await persistChange(tx, conversation, { actor, change, now });
  await linkFiles(tx, { workspaceId, messageId: message.id, files, now });
  return message;
}

/** Shown to a workflow or to teammates, so it names the author. */
export function mayNotReply(name: string): string {
  return `${name} can no longer reply: they have left this workspace or are now a viewer.`;
}

/**
 * What "Send and solve" does to a locked conversation once the reply was sent: solves it, if it is open or pending and
 * the contact has written nothing since it was asked for. One that was merged or closed meanwhile stays as it is.
 * @param given.askedAt when the author asked; null when they did not
 */
export async function solveAsAsked(
  tx: Tx,
  { id, mergedIntoId, record }: LockedConversation,
  { askedAt, now }: { askedAt: Date | null; now: Date },
): Promise<Change> {
  const isUnsolved = record.status === 'open' || record.status === 'pending';
  if (askedAt === null || !isUnsolved || mergedIntoId !== null) return changeOf();
  const written = await tx.message.findFirst({
    where: { conversationId: id, direction: 'inbound', createdAt: { gt: askedAt } },
    select: { id: true },
  });
  return written ? changeOf() : setStatus(record, { status: 'solved', now });
}
