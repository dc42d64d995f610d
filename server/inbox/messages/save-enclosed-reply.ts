import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import type { UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import type { SavedMessage } from '#server/inbox/messages/outgoing-message.ts';
import { refuseOwnCopies } from '#server/inbox/messages/refuse-own-address.ts';
import { type NewReply, saveReply } from '#server/inbox/messages/save-reply.ts';
import { parseCopies, retainUploaded } from '#server/inbox/messages/schedule-reply.ts';

/**
 * Plans a reply with copies and uploaded files, under the rules of the composer. The caller sends it after the commit.
 * @throws Refusal as `saveReply` does, when an address in Cc or Bcc is invalid or leads back to the workspace, or a file no longer exists
 */
export async function saveEnclosedReply(
  tx: SqlDb,
  reply: Omit<NewReply, 'files'> & { files?: UploadedFile[] | undefined },
): Promise<Planned<SavedMessage>> {
  const { workspaceId } = reply;
  const { cc, bcc } = parseCopies(reply);
  await refuseOwnCopies(tx, { workspaceId, cc, bcc });
  const files = await retainUploaded(tx, { workspaceId, files: reply.files ?? [] });
  return saveReply(tx, { ...reply, cc, bcc, files, sends: 'caller' });
}
