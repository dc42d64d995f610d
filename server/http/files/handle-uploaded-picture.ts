import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_SUCH_FILE } from '#server/http/files/handle-attachment.ts';
import { countDownload, type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { findUploadedPicture } from '#server/inbox/files/find-uploaded-picture.ts';
import { UPLOADS_PATH } from '#server/screens/inbox/upload-path.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/**
 * Sends a picture that is not sent yet to a signed-in teammate of its workspace, which must be the open one. The signature proves that
 * the service gave the file to a teammate of the workspace. For everyone else the file does not exist.
 */
export async function handleUploadedPicture(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to open this file.' });
  if (!(await countDownload(res, signedIn.user.id))) return;
  const query = queryOf(req);
  const found =
    signedIn.workspace &&
    (await findUploadedPicture(signedIn.workspace.id, {
      id: path.slice(UPLOADS_PATH.length),
      name: query.get('name'),
      contentType: query.get('type'),
      sizeBytes: Number(query.get('size')),
      signature: query.get('signature'),
    }));
  if (!found) return sendJson(res, 404, { message: NO_SUCH_FILE });
  const isSent = await downloads.send(signedIn.sessionId, res, found);
  if (!isSent) refuseDownload(res);
}
