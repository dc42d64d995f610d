import type { IncomingMessage, ServerResponse } from 'node:http';
import { developerApi } from '#server/developer-api/developer-api.ts';
import { countDownload, type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import { authenticateCall } from '#server/http/handle-api-call.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { headersOf, parseBearerToken } from '#server/http/request/request-parts.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';
import { readableIn } from '#server/inbox/conversations/readable-conversations.ts';
import { findAttachment, findNoteFile } from '#server/inbox/files/find-attachment.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Path prefix of a file for teammates, followed by its id. */
export const ATTACHMENTS_PATH = '/attachments/';

export const NO_SUCH_FILE = 'The file was not found.';

/**
 * Sends a file of a message to a program with an API token, or a file of a message or note to a signed-in teammate of its workspace, which
 * need not be the open one. For everyone else the file does not exist. An anonymous visitor is sent to the sign-in page.
 */
export async function handleAttachment(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  if (parseBearerToken(req) !== undefined) return sendToProgram(downloads, req, res, path);
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return requireSignIn(req, res, path);
  if (!(await countDownload(res, signedIn.user.id))) return;
  const id = path.slice(ATTACHMENTS_PATH.length);
  const conversation = readableIn(signedIn.workspaces);
  const found =
    (await findAttachment(id, { message: { conversation } })) ?? (await findNoteFile(id, { conversation }));
  if (!found) return sendJson(res, 404, { message: NO_SUCH_FILE });
  const isSent = await downloads.send(signedIn.sessionId, res, found);
  if (!isSent) refuseDownload(res);
}

/** Sends a file of a message that the program can read. Counts as a call of the developer API. */
async function sendToProgram(
  downloads: Downloads,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  for (const [name, value] of Object.entries(developerApi.headers(requestId(res))))
    res.setHeader(name, value);
  const authenticated = await authenticateCall(developerApi, req, res);
  if ('refused' in authenticated) {
    const { refused } = authenticated;
    return sendJson(res, refused.status, 'json' in refused ? refused.json : refused.body, refused.headers);
  }
  const { caller: program } = authenticated;
  const message = developerApi.refuse(program, 'conversations.messages');
  if (message !== undefined) return sendJson(res, 403, { message });
  await developerApi.touch(program, clientAddress(req));
  const isShown = { workspaceId: program.workspace.id, isTest: false, removal: null };
  const found = await findAttachment(path.slice(ATTACHMENTS_PATH.length), {
    message: {
      conversation: { ...isShown, OR: [{ mergedIntoId: null }, { mergedInto: { removal: null } }] },
    },
  });
  if (!found) return sendJson(res, 404, { message: NO_SUCH_FILE });
  const isSent = await downloads.send(program.tokenId, res, found);
  if (!isSent) refuseDownload(res);
}

/** Redirects a navigation to the sign-in page and refuses a subresource. */
function requireSignIn(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (req.headers['sec-fetch-dest'] !== 'document') {
    sendJson(res, 401, { message: 'Sign in to open this file.' });
    return;
  }
  res.writeHead(303, { Location: `/sign-in?next=${encodeURIComponent(path)}`, 'Cache-Control': 'no-store' });
  res.end();
}
