import type { IncomingMessage, ServerResponse } from 'node:http';
import { validate as isUuid } from 'uuid';
import { downloadArchive, EXPORT_PATH } from '#server/administration/export/request-export.ts';
import { exportContact } from '#server/administration/privacy/contact-data.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { notFound, Refusal, STATUSES } from '#server/core/errors.ts';
import {
  countDownload,
  type Downloads,
  type NamedArchive,
  refuseDownload,
} from '#server/http/files/send-attachment.ts';
import { headersOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { CONTACT_DATA_PATH } from '#server/screens/contacts/views.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Opens an archive for the teammate, in their open workspace. Throws a Refusal when they may not have it. */
type OpenArchive = (who: { workspaceId: string; by: Teammate }) => Promise<NamedArchive>;

type Handler = (
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
) => Promise<void>;

/** Sends all data of a contact of the open workspace as a ZIP archive, to owners and admins. */
export const handleContactData: Handler = (downloads, req, res, path) => {
  const contactId = path.slice(CONTACT_DATA_PATH.length);
  return sendOpened({ downloads, req, res }, 'the contact’s page to download its data', (who) =>
    exportContact({ ...who, contactId }),
  );
};

/**
 * Sends an archive of an export of the open workspace, to its owners. The role is checked on each download, so the address alone opens
 * nothing.
 */
export const handleExport: Handler = (downloads, req, res, path) => {
  const archiveId = path.slice(EXPORT_PATH.length);
  return sendOpened({ downloads, req, res }, 'Settings, Workspace to download the export', async (who) => {
    if (!isUuid(archiveId)) throw notFound('The export');
    const { fileId, name } = await downloadArchive({ ...who, archiveId });
    return { name, archive: await openFile(fileId) };
  });
};

/**
 * Sends an archive of the open workspace. Refuses requests of other sites: each download adds an audit entry.
 * @param what the page and the archive, as the refusal names them: “Sign in and open …”
 */
async function sendOpened(
  { downloads, req, res }: { downloads: Downloads; req: IncomingMessage; res: ServerResponse },
  what: string,
  open: OpenArchive,
): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn?.workspace || req.headers['sec-fetch-site'] === 'cross-site')
    return sendJson(res, 403, { message: `Sign in and open ${what}.` });
  const who = { workspaceId: signedIn.workspace.id, by: signedIn.user };
  if (!(await countDownload(res, signedIn.user.id))) return;
  try {
    const isSent = await downloads.sendArchive(signedIn.sessionId, res, () => open(who));
    if (!isSent) refuseDownload(res);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendJson(res, STATUSES[error.refusal], { message: error.message });
  }
}
