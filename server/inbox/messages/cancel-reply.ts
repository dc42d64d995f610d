import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { FormattedText } from '#server/contract/formatted-text.ts';
import { storedFormatted } from '#server/contract/parse-formatted.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { joinWritten } from '#server/contract/written.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, type Tx } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { IS_NOT_DELETED, NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { recordForMany } from '#server/inbox/conversations/record-for-many.ts';
import { noteFileRows } from '#server/inbox/files/link-files.ts';
import { retainFiles } from '#server/inbox/files/retain-uploaded.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { signUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { returnToDraft } from '#server/inbox/messages/reply-drafts.ts';
import { wroteHere } from '#server/inbox/messages/reply-to.ts';

/**
 * The content of a cancelled reply. Its files can be sent with another reply. `answers`: the author who gets it instead of the contact,
 * as in a draft; null if the next reply may go to whomever the composer suggests.
 */
type ReplyContent = {
  content: string;
  formatted: FormattedText | null;
  answers: string | null;
  cc: string[];
  bcc: string[];
  files: UploadedFile[];
  savedReplyIds: string[];
};

/** `draftVersion`: version of the shared draft that has the content now, or null. */
type CancelledReply = ReplyContent & { draftVersion: number | null };

type CancelledRow = Omit<ReplyContent, 'files'> & {
  conversationId: string;
  attachments: unknown;
  isWritable: boolean;
};

/**
 * Deletes a scheduled reply before it becomes a message, and returns its content. Only its author may cancel it. A
 * failed reply, and one that is sent later, can be cancelled by everyone, because its author may be away or have left. One statement: either this call or the
 * job gets the reply.
 * @param toDraft also returns the content to the shared draft, unless nothing can be written in the conversation
 * @throws Refusal when the reply was sent or cancelled, its conversation was deleted, or a teammate who is not the author
 *   cancels it
 */
export async function cancelReply(which: {
  workspaceId: string;
  id: string;
  by: { id: string };
  toDraft?: boolean;
}): Promise<CancelledReply> {
  const { workspaceId, by, toDraft = false } = which;
  const cancelled = await sqlTransaction(async (tx) => {
    const row = await deleteReply(tx, which);
    if (!row) return undefined;
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    const { attachments, isWritable, conversationId, ...written } = row;
    const files = parsePendingFiles(attachments);
    const content = { ...written, formatted: storedFormatted(written.formatted) };
    const returned = { ...content, files, workspaceId, conversationId, author: by };
    const draftVersion = toDraft && isWritable ? await returnToDraft(tx, returned) : null;
    return { ...content, files: files.map((file) => signUploaded(workspaceId, file)), draftVersion };
  });
  return cancelled ?? refuse(which);
}

async function deleteReply(
  tx: SqlDb,
  { workspaceId, id, by }: { workspaceId: string; id: string; by: { id: string } },
): Promise<CancelledRow | undefined> {
  const [deleted] = await tx.$queryRaw<CancelledRow[]>`
    delete from pending_replies p using conversations c
    where p.workspace_id = ${workspaceId}::uuid and p.id = ${id}::uuid
      and (p.author_id = ${by.id}::uuid or p.problem is not null or p.sends_later)
      and c.id = p.conversation_id and ${IS_NOT_DELETED}
    returning p.conversation_id as "conversationId", p.content, p.formatted, p.cc, p.bcc, p.attachments, p.saved_reply_ids as "savedReplyIds",
      case
        when cardinality(p.mail_to) = 1 and ${wroteHere(Prisma.sql`p.conversation_id`, Prisma.sql`p.mail_to[1]`)} then p.mail_to[1]
        when p.problem is null then ''
      end as answers,
      c.merged_into_id is null and c.removal is null as "isWritable"`;
  return deleted;
}

async function refuse({ workspaceId, id }: { workspaceId: string; id: string }): Promise<never> {
  const other = await db().pendingReply.findFirst({
    where: { workspaceId, id, conversation: NOT_DELETED },
    select: { author: { select: { name: true } } },
    relationLoadStrategy: 'join',
  });
  if (other) throw new Refusal('forbidden', `Only ${other.author.name} can undo this reply.`);
  // The message of a sent reply has its id.
  const isSent = (await db().message.count({ where: { workspaceId, id } })) > 0;
  throw new Refusal('not_found', isSent ? SENT : EDITED);
}

const SENT = 'Too late to undo. This reply has been sent.';
const EDITED = 'Too late to undo. A teammate is editing it.';

const shape = z.array(
  z.object({ id: z.uuid(), name: z.string(), contentType: z.string(), sizeBytes: z.number().int() }),
);

/** Parses the `attachments` column of a scheduled reply. */
export function parsePendingFiles(attachments: unknown): StoredFile[] {
  return shape.parse(attachments);
}

/**
 * Turns the unsent replies of a teammate whose account is being deleted into internal notes, with their formatting and files, in every
 * workspace. The replies' rows are deleted with the account, so their text would be lost. The notes have the actor `automatic`, so
 * every plan allows them (docs/rulings.md 3.10).
 */
export async function convertUnsentReplies(tx: Tx, author: Teammate): Promise<void> {
  const heading = `The account of ${author.name} was deleted before this reply was sent:`;
  const unsent = await tx.$queryRaw<UnsentReply[]>`
    delete from pending_replies where author_id = ${author.id}::uuid
    returning workspace_id as "workspaceId", conversation_id as "conversationId", content, formatted, attachments`;
  for (const reply of unsent) await addAsNote(tx, reply, heading);
  for (const workspaceId of new Set(unsent.map((reply) => reply.workspaceId))) {
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  }
}

type UnsentReply = {
  workspaceId: string;
  conversationId: string;
  content: string;
  formatted: unknown;
  attachments: unknown;
};

async function addAsNote(
  tx: Tx,
  { workspaceId, conversationId, content: text, formatted: stored, attachments }: UnsentReply,
  heading: string,
): Promise<void> {
  const { text: content, formatted } = joinWritten([
    { text: heading, formatted: null },
    { text, formatted: storedFormatted(stored) },
  ]);
  const id = uuidv7();
  const now = new Date();
  await tx.$executeRaw`
    insert into notes (id, workspace_id, conversation_id, author_kind, content, formatted, created_at)
    values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, 'automatic', ${content}, ${formatted && JSON.stringify(formatted)}::json,
      ${now}::timestamptz)`;
  const pending = parsePendingFiles(attachments);
  const kept = await retainFiles(tx, { workspaceId, ids: pending.map((file) => file.id), seconds: 0 });
  const files = pending.filter((file) => kept.includes(file.id));
  for (const row of await noteFileRows(tx, { workspaceId, noteId: id, files, now }))
    await tx.$executeRaw(row);
  const note = {
    id,
    conversation_id: conversationId,
    content,
    created_at: timestamp(now),
    url: conversationUrl(conversationId),
  };
  await recordForMany(tx, {
    workspaceId,
    ids: [conversationId],
    actor: { kind: 'automatic' },
    now,
    eventOf: (conversation) => ({ key: 'note.added', payload: { conversation, note } }),
  });
}
