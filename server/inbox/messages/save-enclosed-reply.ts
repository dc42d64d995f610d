import type { Planned } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import { retainUploaded } from '#server/inbox/files/retain-uploaded.ts';
import { parseReference, type UploadedFile } from '#server/inbox/files/uploaded-file.ts';
import type { SavedMessage } from '#server/inbox/messages/outgoing-message.ts';
import { refuseOwnCopies } from '#server/inbox/messages/refuse-own-address.ts';
import { type NewReply, saveReply } from '#server/inbox/messages/save-reply.ts';
import { parseCopies } from '#server/inbox/messages/schedule-reply.ts';

/**
 * Plans a reply with copies and uploaded files, under the rules of the composer. The caller sends it after the commit.
 * @param reply `attachments`: references of uploaded files
 * @throws Refusal as `saveReply` does, when an address in Cc or Bcc is invalid or leads back to the workspace, or under `attachment_ids`
 *   when a file is of another workspace, already sent or expired
 */
export async function saveEnclosedReply(
  tx: SqlDb,
  { attachments = [], ...reply }: Omit<NewReply, 'files'> & { attachments?: string[] | undefined },
): Promise<Planned<SavedMessage>> {
  const { workspaceId } = reply;
  const { cc, bcc } = parseCopies(reply);
  await refuseOwnCopies(tx, { workspaceId, cc, bcc });
  const parsed = attachments.map(parseReference);
  const uploaded = parsed.filter((file): file is UploadedFile => file !== undefined);
  if (uploaded.length !== parsed.length) throw invalid({ [LABELS.field]: [LABELS.gone] });
  const files = await retainUploaded(tx, { workspaceId, files: uploaded }, LABELS);
  return saveReply(tx, { ...reply, cc, bcc, files, sends: 'caller' });
}

const LABELS = {
  field: 'attachment_ids',
  gone: 'A file (attachment_ids) does not exist, is named twice, was already sent or has expired. Upload it with POST /files, once for each reply.',
};
