import type { IncomingMessage, ServerResponse } from 'node:http';
import { validate as isUuid } from 'uuid';
import { downloadArchive, EXPORT_PATH } from '#server/administration/export/request-export.ts';
import { notFound, Refusal, STATUSES } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import { headersOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/**
 * Sends an archive of an export of the open workspace, to its owners. The role is checked on each download, so the address alone opens
 * nothing. Refuses requests of other sites: each download adds an audit entry.
 */
export async function handleExport(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn?.workspace || req.headers['sec-fetch-site'] === 'cross-site')
    return sendJson(res, 403, { message: 'Sign in and open Settings, Workspace to download the export.' });
  const { workspace } = signedIn;
  const { allowed, retryAfterSeconds } = await consumeLimit('attachment', signedIn.user.id);
  if (!allowed) return refuseDownload(res, retryAfterSeconds);
  const archiveId = path.slice(EXPORT_PATH.length);
  try {
    const isSent = await downloads.sendArchive(signedIn.sessionId, res, async () => {
      if (!isUuid(archiveId)) throw notFound('The export');
      const which = { workspaceId: workspace.id, archiveId, by: signedIn.user };
      const { fileId, name } = await downloadArchive(which);
      return { name, archive: await openFile(fileId) };
    });
    if (!isSent) refuseDownload(res);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendJson(res, STATUSES[error.refusal], { message: error.message });
  }
}
