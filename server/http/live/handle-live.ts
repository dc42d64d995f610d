import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveStreams } from '#server/http/live/live-streams.ts';
import { headersOf } from '#server/http/request/headers-of.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Where an open page hears what changes in its workspace (server-sent events, HTML standard §9.2). */
export const LIVE_PATH = '/live';

/** Opens the stream of a page of ours for the signed-in teammate's open workspace. */
export async function handleLive(
  live: LiveStreams,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (req.method !== 'GET') {
    return sendJson(res, 405, { message: 'This address answers GET only.' }, { Allow: 'GET' });
  }
  const from = req.headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') {
    return sendJson(res, 403, { message: 'Only pages of this service can listen here.' });
  }
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to listen here.' });
  const { sessionId, user, workspace } = signedIn;
  if (!workspace) return sendJson(res, 403, { message: 'There is no workspace to listen to.' });
  await live.join(res, { sessionId, userId: user.id, workspaceId: workspace.id });
}
