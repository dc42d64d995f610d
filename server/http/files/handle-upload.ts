import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { readUpload } from '#server/http/files/read-upload.ts';
import { headersOf, isCrossSite } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { DRAFT_FILE_MS } from '#server/inbox/files/store-file.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { VIEWERS_READ_ONLY } from '#server/teammates/roles.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** The workspace of the uploading page. Another one can be open by now. */
const UPLOAD_WORKSPACE_HEADER = 'x-workspace-id';

const UNREADABLE = 'The file could not be read. Try again.';
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
  const sender = {
    workspaceId: workspace.id,
    visitorKey: signedIn.user.id,
    address: String(req.headers[CLIENT_ADDRESS_HEADER] ?? ''),
  };
  const read = await readUpload(req, sender, { unreadable: UNREADABLE, unlinkedMs: DRAFT_FILE_MS });
  if ('status' in read) sendJson(res, read.status, { message: read.message });
  else sendJson(res, 201, signUploaded(workspace.id, read.file));
}
