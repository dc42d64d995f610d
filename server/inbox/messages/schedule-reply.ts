import { textProblem } from '#server/contract/fields.ts';
import { requireEmail } from '#server/contract/parse-email.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid, notFound, Refusal, refusalIn } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { refuseCommand } from '#server/inbox/commands/refuse-command.ts';
import { refuseMerged } from '#server/inbox/conversations/lock-conversation.ts';
import { attachmentProblem } from '#server/inbox/files/content-types.ts';
import type { StoredFile } from '#server/inbox/files/store-file.ts';
import { openUploaded, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { mayNotReply, REPLY_MAX_LENGTH } from '#server/inbox/messages/save-reply.ts';
import { findAssignable } from '#server/teammates/find-teammates.ts';

const EMAIL_ONLY = 'Only emails can have copies (Cc and Bcc).';

/** How long a reply from the inbox can be undone. */
const UNDO_SECONDS = 5;

/**
 * Keeps a reply that a teammate sent in the inbox until it can no longer be undone; then a job, queued in the
 * same transaction, makes it a message. From here on it is safe: the page may close and the worker die.
 * @param given.id made by the page, so that the same reply handed over twice is held once
 * @param given.solves whether it solves the conversation once it is sent
 * @param given.content may be empty when there are files
 * @param given.cc and `bcc`: by email alone, who gets a copy
 * @param given.files what the page uploaded before, as it got it
 * @returns for how long it is held, in milliseconds
 * @throws Refusal for a content that cannot be or is a command, a conversation that is not there or was merged, or a
 *   teammate who may not reply any more
 */
export async function scheduleReply(given: {
  workspaceId: string;
  conversationId: string;
  id: string;
  author: Teammate;
  content: string;
  solves?: boolean | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  files?: UploadedFile[] | undefined;
}): Promise<{ msLeft: number }> {
  const { workspaceId, conversationId, id, author, solves = false } = given;
  const mayBeEmpty = (given.files ?? []).length > 0;
  const content = parseContent(given.content, { label: 'reply', max: REPLY_MAX_LENGTH, mayBeEmpty });
  const { cc, bcc } = parseCopies(given);
  return inTransaction(async (tx) => {
    if (!(await findAssignable(tx, { workspaceId, id: author.id }))) {
      throw new Refusal('forbidden', mayNotReply(author.name));
    }
    const conversation = await tx.conversation.findUnique({
      where: { workspaceId_id: { workspaceId, id: conversationId } },
      select: { mergedIntoId: true, channel: true },
    });
    if (!conversation) throw notFound('The conversation');
    refuseMerged(conversation);
    if (conversation.channel !== 'email' && cc.length + bcc.length > 0) throw invalid({ cc: [EMAIL_ONLY] });
    await refuseCommand(tx, { workspaceId, content });
    const held = await tx.$executeRaw`
      insert into pending_replies (id, workspace_id, conversation_id, author_id, content, solves, cc, bcc, send_at)
      values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${author.id}::uuid, ${content}, ${solves},
        ${cc}::text[], ${bcc}::text[], now() + make_interval(secs => ${UNDO_SECONDS}::int))
      on conflict (id) do nothing`;
    if (held === 1) {
      const attachments = await keepUploaded(tx, { workspaceId, files: given.files ?? [] });
      if (attachments.length > 0) await tx.pendingReply.update({ where: { id }, data: { attachments } });
      await queueJob(tx, 'send-pending-reply', { pendingReplyId: id }, { inSeconds: UNDO_SECONDS });
      afterCommit(tx, () => publish(workspaceId, 'conversations'));
    }
    return { msLeft: UNDO_SECONDS * 1_000 };
  });
}

const GONE = 'A file could not be kept. Remove it and add it again.';
/** How long files of a reply that was not sent wait for somebody to take it up again, in days. */
const KEPT_DAYS = 30;

/**
 * Keeps the files of a reply that waits to be sent.
 * @returns what is stored of them
 * @throws Refusal under `files` when they are too many or too large together, or one of them is not there any more
 */
export async function keepUploaded(
  tx: SqlDb,
  { workspaceId, files }: { workspaceId: string; files: UploadedFile[] },
): Promise<StoredFile[]> {
  const stored = files.flatMap((file) => openUploaded(workspaceId, file) ?? []);
  if (stored.length !== files.length) throw invalid({ files: [GONE] });
  const problem = attachmentProblem(stored.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })));
  if (problem) throw invalid({ files: [problem.message] });
  if (stored.length === 0) return [];
  const ids = stored.map(({ id }) => id);
  const kept = await tx.$executeRaw`
    update stored_files set expires_at = now() + make_interval(days => ${KEPT_DAYS}::int)
    where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}::uuid
      and size_bytes is not null and expires_at > now()`;
  if (kept !== stored.length) throw invalid({ files: [GONE] });
  return stored;
}

/** So many people may get a copy of a reply, open and hidden ones together. */
export const COPIES_MAX = 20;

/** Who gets a copy of a reply by email. */
type Copies = { cc: string[]; bcc: string[] };

/**
 * The addresses that a teammate wrote for copies, in lowercase and each once: who is in both gets an open one.
 * @throws Refusal under `cc` or `bcc` that names the address which is none, or says that they are too many
 */
export function parseCopies(given: { cc?: string[] | undefined; bcc?: string[] | undefined }): Copies {
  const cc = [...new Set(given.cc?.map((typed) => parseCopy('cc', typed)))];
  const bcc = [...new Set(given.bcc?.map((typed) => parseCopy('bcc', typed)))].filter(
    (address) => !cc.includes(address),
  );
  if (cc.length + bcc.length > COPIES_MAX) {
    throw invalid({ cc: [`A reply can have up to ${COPIES_MAX} addresses in Cc and Bcc.`] });
  }
  return { cc, bcc };
}

function parseCopy(field: 'cc' | 'bcc', typed: string): string {
  try {
    return requireEmail(typed);
  } catch (error) {
    if (!refusalIn(error)) throw error;
    const label = field === 'cc' ? 'Cc' : 'Bcc';
    throw invalid({ [field]: [`${label}: “${typed.trim().slice(0, 100)}” is not an email address.`] });
  }
}

/**
 * What a teammate wrote in the app, as it is kept: its white space stays, but white space alone is empty, and length
 * counts as in the API (decisions: values, 4 and 5).
 * @param given.mayBeEmpty whether it may say nothing, as it has files: then white space alone is kept as nothing
 * @throws Refusal under `content` that names what was written
 */
export function parseContent(
  text: string,
  { label, max, mayBeEmpty = false }: { label: string; max: number; mayBeEmpty?: boolean },
): string {
  const isEmpty = text.trim() === '';
  if (isEmpty && mayBeEmpty) return '';
  const problem = isEmpty ? `The ${label} is empty.` : textProblem(text, { label, max });
  if (problem) throw invalid({ content: [problem] });
  return text;
}
