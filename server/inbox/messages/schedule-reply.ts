import { textProblem } from '#server/contract/fields.ts';
import type { FormattedText } from '#server/contract/formatted-text.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import { type Written, writtenText } from '#server/contract/parse-formatted.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { withPictures } from '#server/contract/with-pictures.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, notFound, refusalIn } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import type { Channel, Removal } from '#server/generated/prisma/enums.ts';
import { refuseAfterWindow } from '#server/inbox/channels/meta/message-window.ts';
import { refuseCommand } from '#server/inbox/commands/refuse-command.ts';
import { laterTimeProblem } from '#server/inbox/conversations/changes.ts';
import { refuseReadOnly } from '#server/inbox/conversations/lock-conversation.ts';
import { pictureFileIds } from '#server/inbox/files/content-types.ts';
import { retainUploaded } from '#server/inbox/files/retain-uploaded.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { findUnseen, type UnseenItem } from '#server/inbox/messages/find-unseen.ts';
import { refuseOwnCopies } from '#server/inbox/messages/refuse-own-address.ts';
import { clearDraft } from '#server/inbox/messages/reply-drafts.ts';
import { replyRecipients, requireAuthor } from '#server/inbox/messages/reply-to.ts';
import {
  EMAIL_ONLY,
  REPLY_MAX_LENGTH,
  requireReplier,
  withoutRecipients,
} from '#server/inbox/messages/save-reply.ts';
import { consumeSuggestedReply } from '#server/inbox/messages/suggested-replies.ts';

/** `unseen` is empty if the reply was stored. */
export type ScheduledReply = { msLeft: number; unseen: UnseenItem[] };

/** Time in which a reply from the inbox can be undone. */
export const UNDO_SECONDS = 5;

/**
 * Stores a reply from the inbox for as long as it can be undone, and queues the job that turns it into a message. From
 * then on the reply survives a closed page and a crashed worker.
 * @param id created by the page, so that a repeated request stores the reply once
 * @param answers email only: the author of a message of the conversation who gets the reply instead of the contact
 * @param solves whether the reply solves the conversation once it is sent
 * @param sendAt when to send the reply instead of after the time to undo it
 * @param content may be empty if there are files
 * @param formatted email and web chat only: the text with its formatting, which replaces `content`
 * @param cc email only, like `bcc`
 * @param files as returned by the upload
 * @param seen ids of the newest messages, notes and pending replies that the writer has seen. When there are others,
 *   nothing is stored. Undefined stores the reply in any case
 * @param savedReplyIds the saved replies that it used, counted when it is sent
 * @param draftVersion version of the shared draft that the reply was, which is emptied with the same commit
 * @param suggestedId the suggestion of a program that the reply is, which is deleted with the same commit
 * @returns the time until the reply is sent, in milliseconds, or what the writer has not seen
 * @throws Refusal when the content is invalid or a command, `sendAt` is not possible, the conversation does not exist or was merged, or the author
 *   may no longer reply, or the suggestion is gone
 */
export async function scheduleReply(reply: {
  workspaceId: string;
  conversationId: string;
  id: string;
  author: Teammate;
  content: string;
  formatted?: FormattedText | null | undefined;
  answers?: string | undefined;
  solves?: boolean | undefined;
  sendAt?: Date | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: UploadedFile[] | undefined;
  seen?: string[] | undefined;
  savedReplyIds?: string[] | undefined;
  draftVersion?: number | undefined;
  suggestedId?: string | undefined;
}): Promise<ScheduledReply> {
  const { workspaceId, conversationId, id, author, solves = false, savedReplyIds = [] } = reply;
  const mayBeEmpty = (reply.files ?? []).length > 0;
  const { content, formatted } = parseWritten(reply, { label: 'reply', max: REPLY_MAX_LENGTH, mayBeEmpty });
  const { cc, bcc } = parseCopies(reply);
  const { sendAt } = reply;
  const seconds = sendAt ? secondsUntil(sendAt) : UNDO_SECONDS;
  return inTransaction(async (tx) => {
    await requireReplier(tx, workspaceId, author);
    // The second of two replies written at the same time finds the first.
    const [conversation] = await tx.$queryRaw<Conversation[]>`
      select merged_into_id as "mergedIntoId", removal, channel, reply_to as "replyTo", uses_reply_to as "usesReplyTo" from conversations
      where workspace_id = ${workspaceId}::uuid and id = ${conversationId}::uuid
      for no key update`;
    if (!conversation) throw notFound('The conversation');
    refuseReadOnly(conversation);
    if (conversation.channel !== 'email' && cc.length + bcc.length > 0) throw invalid({ cc: [EMAIL_ONLY] });
    await refuseOwnCopies(tx, { workspaceId, cc, bcc });
    await refuseCommand(tx, { workspaceId, content });
    const { channel } = conversation;
    if (sendAt) await refuseAfterWindow(tx, { channel, conversationId, sendAt });
    const mailTo =
      reply.answers === undefined
        ? replyRecipients(conversation)
        : [await requireAuthor(tx, { conversationId, typed: reply.answers })];
    const { seen } = reply;
    const unseen =
      seen && !(await isStored(tx, id))
        ? await findUnseen(tx, { workspaceId, conversationId, authorId: author.id, seen })
        : [];
    if (unseen.length > 0) return { msLeft: 0, unseen };
    const inserted = await tx.$executeRaw`
      insert into pending_replies (id, workspace_id, conversation_id, author_id, content, formatted, solves, sends_later, mail_to, cc, bcc, saved_reply_ids, send_at)
      select ${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${author.id}::uuid, ${content}, ${formattedColumn(channel, formatted)}::json, ${solves}, ${sendAt !== undefined},
        ${mailTo}::text[], ${withoutRecipients(cc, mailTo)}::text[], ${withoutRecipients(bcc, mailTo)}::text[], ${savedReplyIds}::uuid[], now() + make_interval(secs => ${seconds}::int)
      where not exists (select 1 from messages where id = ${id}::uuid)
      on conflict (id) do nothing`;
    if (inserted === 1) {
      const { suggestedId, draftVersion } = reply;
      if (draftVersion !== undefined) {
        const fileIds = (reply.files ?? []).map((file) => file.id);
        await clearDraft(tx, {
          conversationId,
          version: draftVersion,
          authorId: author.id,
          content,
          fileIds,
        });
      }
      if (suggestedId) await consumeSuggestedReply(tx, { workspaceId, id: suggestedId, conversationId });
      const attachments = await retainUploaded(tx, { workspaceId, files: reply.files ?? [], seconds });
      if (attachments.length > 0) await tx.pendingReply.update({ where: { id }, data: { attachments } });
      await queueJob(tx, 'send-pending-reply', { pendingReplyId: id }, { inSeconds: seconds });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
    }
    return { msLeft: seconds * 1_000, unseen };
  });
}

/**
 * Returns the time until a reply is sent later, in whole seconds, at least the time to undo it.
 * @throws Refusal under `sendAt` when the time is past or too far away
 */
export function secondsUntil(sendAt: Date): number {
  const now = new Date();
  const problem = laterTimeProblem(sendAt, now);
  if (problem) throw invalid({ sendAt: [problem] });
  return Math.max(UNDO_SECONDS, Math.ceil((sendAt.getTime() - now.getTime()) / 1_000));
}

/** Returns whether an earlier request stored this reply, which may be a message now. */
async function isStored(tx: SqlDb, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select 1 from pending_replies where id = ${id}::uuid union all select 1 from messages where id = ${id}::uuid`;
  return found.length > 0;
}

type Conversation = {
  mergedIntoId: string | null;
  removal: Removal | null;
  channel: Channel;
  replyTo: string[];
  usesReplyTo: boolean;
};

/** Maximum number of addresses in Cc and Bcc together. */
export const COPIES_MAX = 20;

type Copies = { cc: string[]; bcc: string[] };

/**
 * Parses the Cc and Bcc addresses that a teammate typed. Returns them in lowercase without duplicates. An address in both
 * fields stays in Cc.
 * @throws Refusal under `cc` or `bcc` when an address is invalid or there are too many
 */
export function parseCopies(copies: { cc?: string[] | undefined; bcc?: string[] | undefined }): Copies {
  const cc = [...new Set(copies.cc?.map((typed) => parseTypedEmail('cc', typed, 'Cc: ')))];
  const bcc = [...new Set(copies.bcc?.map((typed) => parseTypedEmail('bcc', typed, 'Bcc: ')))].filter(
    (address) => !cc.includes(address),
  );
  if (cc.length + bcc.length > COPIES_MAX) {
    throw invalid({ cc: [`A reply can have up to ${COPIES_MAX} addresses in Cc and Bcc.`] });
  }
  return { cc, bcc };
}

/** @throws Refusal under `field` that quotes what was typed, after the label */
export function parseTypedEmail(field: 'to' | 'cc' | 'bcc', typed: string, label = ''): string {
  try {
    return requireEmail(typed);
  } catch (error) {
    if (!refusalIn(error)) throw error;
    throw invalid({ [field]: [`${label}“${typed.trim().slice(0, 100)}” is not an email address.`] });
  }
}

/** Channels whose messages can be formatted. On others, a formatted reply is sent as plain text. */
export const FORMATTED_CHANNELS = new Set<Channel>(['email', 'webchat']);

/** Returns the formatting of a reply on a channel as JSON, or null. */
function formattedColumn(channel: Channel, formatted: FormattedText | null): string | null {
  return formatted && FORMATTED_CHANNELS.has(channel) ? JSON.stringify(formatted) : null;
}

type TextRules = { label: string; max: number; mayBeEmpty?: boolean };

/**
 * Validates a text that may be formatted as `parseContent` does. Its content is that of the formatting, if there is any.
 * @param files those of the message or note, the only ones that it can show as pictures
 * @throws Refusal as `parseContent` does
 */
export function parseWritten(
  {
    content: plain,
    formatted: sent,
    files = [],
  }: Parameters<typeof writtenText>[0] & {
    files?: Pick<StoredFile, 'id' | 'contentType'>[] | undefined;
  },
  rules: TextRules,
): Written {
  const { content: text, formatted } = writtenText({
    content: plain,
    formatted: sent && withPictures(sent, pictureFileIds(files)),
  });
  const content = parseContent(text, rules);
  return { content, formatted: content === '' ? null : formatted };
}

/**
 * Validates the text of a message or note from the inbox and returns it with its white space. Only white space counts as
 * empty. Length is counted as in the API (docs/rulings.md 1.4, 1.5).
 * @param mayBeEmpty returns '' for empty text, for messages with files
 * @throws Refusal under `content`, with the label in its sentence
 */
export function parseContent(text: string, { label, max, mayBeEmpty = false }: TextRules): string {
  const isEmpty = text.trim() === '';
  if (isEmpty && mayBeEmpty) return '';
  const problem = isEmpty ? `The ${label} is empty.` : textProblem(text, { label, max });
  if (problem) throw invalid({ content: [problem] });
  return text;
}
