import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportContact } from '#server/administration/privacy/contact-data.ts';
import { Refusal, STATUSES } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import { headersOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { CONTACT_DATA_PATH } from '#server/screens/contacts/views.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/**
 * Sends all data of a contact of the open workspace as a ZIP archive, to owners and admins. Refuses requests of other sites:
 * each download adds an audit entry.
 */
export async function handleContactData(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn?.workspace || req.headers['sec-fetch-site'] === 'cross-site')
    return sendJson(res, 403, { message: 'Sign in and open the contact’s page to download its data.' });
  const { allowed, retryAfterSeconds } = await consumeLimit('attachment', signedIn.user.id);
  if (!allowed) return refuseDownload(res, retryAfterSeconds);
  const contactId = path.slice(CONTACT_DATA_PATH.length);
  const which = { workspaceId: signedIn.workspace.id, contactId, by: signedIn.user };
  try {
    const isSent = await downloads.sendArchive(signedIn.sessionId, res, () => exportContact(which));
    if (!isSent) refuseDownload(res);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendJson(res, STATUSES[error.refusal], { message: error.message });
  }
}
