import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { countInMemory } from '#server/core/limits/limits.ts';
import type { LiveStreams } from '#server/http/live/live-streams.ts';
import { readJsonBody } from '#server/http/request/read-body.ts';
import { headersOf, queryOf } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Path of the event stream of a workspace (server-sent events, HTML standard §9.2). */
export const LIVE_PATH = '/live';

/** Reports per session on one server. A page reports when a conversation is opened, every 4 s while its user types, and every 30 s. */
const REPORTS = { points: 240, seconds: 60 };
const reports = countInMemory(10_000);

const report = z.object({ page: z.uuid(), conversationId: z.uuid().nullable(), isTyping: z.boolean() });

/** Opens the stream of one of our pages for the signed-in teammate's open workspace, or receives a page's report of its open conversation. */
export async function handleLive(
  live: LiveStreams,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const from = req.headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') {
    return sendJson(res, 403, { message: 'Only pages of this service can use this address.' });
  }
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to use this address.' });
  const { sessionId, user, workspace } = signedIn;
  if (!workspace) return sendJson(res, 403, { message: 'You are not in a workspace.' });
  const { id: workspaceId, visibility } = workspace;
  const owner = { sessionId, userId: user.id, name: user.name, workspaceId, visibility };
  if (req.method === 'GET') {
    // A page without a valid id reports nothing.
    const page = z.uuid().safeParse(queryOf(req).get('page')).data ?? null;
    return live.join(res, { ...owner, page });
  }
  if (reports.take(sessionId, REPORTS).count > REPORTS.points) {
    return sendJson(res, 429, { message: 'Too many reports. Wait a minute.' }, { 'Retry-After': '60' });
  }
  const body = await readJsonBody(req);
  const reported = body.kind === 'object' ? report.safeParse(body.value).data : undefined;
  if (!reported) return sendJson(res, 422, { message: 'The report is not valid.' });
  // The conversation is not looked up: only teammates of this workspace who see it receive its id.
  live.report({ ...reported, sessionId, workspaceId });
  res.writeHead(204).end();
}
