import type { ConversationRecord, Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, isConflict } from '#server/core/database/db.ts';
import { prepared } from '#server/core/database/prepared.ts';
import { Refusal } from '#server/core/errors.ts';
import { startMovingJobs } from '#server/core/jobs/outbox.ts';
import { wakeWorkers } from '#server/core/jobs/wake-workers.ts';
import { publish } from '#server/core/live/publish.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import { refuseOwnAddress } from '#server/inbox/messages/refuse-own-address.ts';
import { keepUploaded, parseCopies } from '#server/inbox/messages/schedule-reply.ts';
import {
  type ConversationNeeds,
  findConversationNeeds,
  type NewConversation,
  type WrittenConversation,
  writeNewConversation,
} from '#server/inbox/messages/write-new-conversation.ts';

const ATTEMPTS = 4;

/**
 * Starts an email conversation with a contact from the workspace's default mailbox: finds or creates the
 * contact, assigns the conversation to the teammate and keeps the AI agent out of it. The message is saved in
 * any case and sent by a job; without a verified email domain it is held (spec.md §4.2, POST /conversations).
 * Emits `contact.created` (someone new), `conversation.created`, `conversation.assigned`. Two round trips: what it needs is
 * found, and all is written in one statement; again, when another call made the contact meanwhile.
 * @throws Refusal when an address for copies is none, a file is not there any more, the address is the workspace's own or a
 * teammate's, or the teammate may not act any more
 */
export async function createConversation(asked: NewConversation): Promise<ConversationRecord> {
  const given = { ...asked, ...parseCopies(asked) };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const found = await findConversationNeeds(given);
    if (!found.teammate) throw new Refusal('forbidden', mayNotStart(given.actor.teammate.name));
    refuseOwnAddress(found.owner);
    const needed = { ...found, teammate: found.teammate };
    const { files = [] } = given;
    const written = await (files.length > 0
      ? writeWithFiles(given, needed, files)
      : writeNewConversation(prepared(), given, needed)
    ).catch(nothingOnConflict);
    if (!written) continue;
    publish(given.workspaceId, 'conversations');
    if (written.isQueued) startMovingJobs();
    if (written.recorded > 0) wakeWorkers();
    return written.conversation;
  }
  throw new Error('What a new conversation needs changed each time it was to be written.');
}

function mayNotStart(name: string): string {
  return `${name} has left this workspace or is now a viewer, so no conversation was started.`;
}

/** The same with files, in a transaction that links them. */
function writeWithFiles(
  given: NewConversation,
  needed: ConversationNeeds & { teammate: Teammate },
  files: UploadedFile[],
): Promise<WrittenConversation | undefined> {
  const { workspaceId } = given;
  return inTransaction(async (tx) => {
    const stored = await keepUploaded(tx, { workspaceId, files });
    const written = await writeNewConversation(tx, given, needed, stored);
    if (!written) return undefined;
    await linkFiles(tx, { workspaceId, messageId: written.messageId, files: stored, now: new Date() });
    return written;
  });
}

/** A deadlock is tried again, too. */
function nothingOnConflict(error: unknown): undefined {
  if (isConflict(error)) return undefined;
  throw error;
}
