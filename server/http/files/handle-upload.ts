import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalid, refusalIn } from '#server/core/errors.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { withUploadPermit } from '#server/http/files/upload-permit.ts';
import { FormProblem, type FormProblemKind, readMultipart } from '#server/http/request/read-multipart.ts';
import { headersOf, isCrossSite } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { ATTACHMENT_MAX_BYTES, TOO_LARGE } from '#server/inbox/files/content-types.ts';
import { hasRoom } from '#server/inbox/files/file-quota.ts';
import { DRAFT_FILE_MS, discardFiles, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import { findSignedIn, type MemberWorkspace } from '#server/teammates/signed-in.ts';

/** The workspace of the uploading page. Another one can be open by now. */
const UPLOAD_WORKSPACE_HEADER = 'x-workspace-id';

export const UPLOAD_LIMITS = {
  fields: 0,
  fieldBytes: 0,
  files: 1,
  fileBytes: ATTACHMENT_MAX_BYTES,
  filesBytes: ATTACHMENT_MAX_BYTES,
  bodyBytes: ATTACHMENT_MAX_BYTES + 100_000,
};

const UNREADABLE = 'The file could not be read. Try again.';
const NO_SPACE = 'The file storage of this workspace is full, so no file can be added.';
const TOO_MANY = 'Too many files were added at once. Wait a minute and try again.';

/**
 * Stores a file for a message that a teammate is writing: a form (`multipart/form-data`) with one `file`.
 * Responds `201` with the signed reference that the page sends with the message. Files without a message are
 * deleted after `DRAFT_FILE_MS`.
 */
export async function handleUpload(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (isCrossSite(req)) return sendJson(res, 403, { message: 'Only pages of this service can add files.' });
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to add files.' });
  const workspaceId = req.headers[UPLOAD_WORKSPACE_HEADER];
  const workspace = signedIn.workspaces.find(({ id }) => id === workspaceId);
  if (!workspace)
    return sendJson(res, 403, { message: 'You are no longer in this workspace. Reload the page.' });
  if (workspace.role === 'viewer') return sendJson(res, 403, { message: VIEWERS_READ_ONLY });
  const { allowed, retryAfterSeconds } = await consumeLimit('upload', signedIn.user.id);
  if (!allowed)
    return sendJson(res, 429, { message: TOO_MANY }, { 'Retry-After': String(retryAfterSeconds) });
  if (Number(req.headers['content-length']) > UPLOAD_LIMITS.bodyBytes)
    return sendJson(res, 413, { message: TOO_LARGE });
  const sender = {
    visitorKey: signedIn.user.id,
    address: String(req.headers[CLIENT_ADDRESS_HEADER] ?? ''),
  };
  const read = await withUploadPermit(req, sender, () => readFile(req, workspace));
  if ('status' in read) sendJson(res, read.status, { message: read.message });
  else sendJson(res, 201, signUploaded(workspace.id, read));
}

type Refused = { status: 413 | 422; message: string };

/** Stores the file of the form. Nothing of a refused form is stored. */
async function readFile(
  req: IncomingMessage,
  { id: workspaceId }: MemberWorkspace,
): Promise<StoredFile | Refused> {
  const stored: StoredFile[] = [];
  try {
    await readMultipart(req, UPLOAD_LIMITS, async ({ name, contentType, source }) => {
      if (!(await hasRoom(workspaceId))) throw invalid({ file: [NO_SPACE] });
      const file = { name, contentType, source, unlinkedMs: DRAFT_FILE_MS };
      stored.push(await storeFile(workspaceId, file));
    });
  } catch (error) {
    await discardFiles(stored.map(({ id }) => id));
    if (error instanceof FormProblem) return FORM_PROBLEMS[error.formProblem];
    if (refusalIn(error)) return { status: 422, message: NO_SPACE };
    throw error;
  }
  const [file] = stored;
  if (!file) return FORM_PROBLEMS.malformed;
  if (file.sizeBytes > 0) return file;
  await discardFiles([file.id]);
  return { status: 422, message: `The file “${file.name}” is empty.` };
}

const FORM_PROBLEMS: Record<FormProblemKind, Refused> = {
  malformed: { status: 422, message: UNREADABLE },
  too_many_files: { status: 422, message: UNREADABLE },
  file_too_large: { status: 413, message: TOO_LARGE },
  files_too_large: { status: 413, message: TOO_LARGE },
};
