import type { IncomingMessage, ServerResponse } from 'node:http';
import { findCaller } from '#server/connections/find-caller.ts';
import { TOKEN_EXPIRED_MESSAGE } from '#server/connections/refusal-messages.ts';
import { touchConnection } from '#server/connections/touch-connection.ts';
import { API_PATH } from '#server/env.ts';
import { requestId, sendJson } from '#server/http/send-json.ts';
import { takeFrom } from '#server/limits/limits.ts';
import { log } from '#server/log.ts';
import { callProcedure } from '#server/rest/call-procedure.ts';
import {
  type ErrorAnswer,
  errorAnswer,
  FAULT_MESSAGE,
  invalidAnswer,
  unauthorizedAnswer,
} from '#server/rest/error-answer.ts';
import { readBearerToken } from '#server/rest/read-bearer-token.ts';
import { readJsonBody } from '#server/rest/read-json-body.ts';
import { findRoutePath } from '#server/rest/routes.ts';

/** Whether a request's path is one of `{api_base}/*`. */
export function isApiPath(path: string): boolean {
  return path === API_PATH || path.startsWith(`${API_PATH}/`);
}

/**
 * Answers a call of the platform. The order of refusals is the contract's (decisions: requests and errors, 1):
 * path, method, credentials, limit, role, body; then the procedure's own.
 */
export async function handleApiCall(req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    const answer = await answerCall(req, res);
    sendJson(res, answer.status, 'json' in answer ? answer.json : answer.body, answer.headers);
  } catch (error) {
    log().error({ err: error, requestId: requestId(res) }, 'api.failed');
    sendJson(res, 500, { message: FAULT_MESSAGE });
  }
}

type Answer = ErrorAnswer | { status: number; json: string; headers?: Record<string, string> };

async function answerCall(req: IncomingMessage, res: ServerResponse): Promise<Answer> {
  const [rawPath = '', rawQuery = ''] = splitOnce(req.url ?? '', '?');
  const route = findRoutePath(rawPath.slice(API_PATH.length));
  if (!route) return { status: 404, body: { message: 'There is nothing at this address.' } };
  const { successStatuses } = route.found;
  const method = req.method ?? '';
  const successStatus = successStatuses.get(method);
  if (!successStatus) {
    const allow = [...successStatuses.keys()].join(', ');
    return {
      status: 405,
      body: { message: `This address answers ${allow} only.` },
      headers: { Allow: allow },
    };
  }

  const token = readBearerToken(req);
  const found = token === undefined ? undefined : await findCaller(token);
  if (!found) return unauthorizedAnswer(TOKEN_EXPIRED_MESSAGE);
  if (found.kind === 'unauthorized') return unauthorizedAnswer(found.message);

  const connectionId = found.kind === 'caller' ? found.caller.connectionId : found.connectionId;
  const limit = await takeFrom('api', connectionId);
  res.setHeader('X-RateLimit-Limit', limit.limit);
  res.setHeader('X-RateLimit-Remaining', limit.remaining);
  if (!limit.allowed) {
    const headers = { 'Retry-After': String(limit.retryAfterSeconds) };
    return { status: 429, body: { message: 'Too Many Attempts.' }, headers };
  }
  if (found.kind === 'forbidden') return { status: 403, body: { message: found.message } };
  if (found.caller.lastUsedIsStale) await touchConnection(connectionId);

  const body = hasBody(method) ? await readJsonBody(req) : { kind: 'object' as const, value: {} };
  if (body.kind === 'too_large') return { status: 413, body: { message: 'The body must be at most 1 MB.' } };
  if (body.kind === 'malformed') return invalidAnswer({ body: [body.message] });

  // Of a parameter sent twice the last one counts.
  const query = Object.fromEntries(new URLSearchParams(rawQuery));
  const call = { method, path: route.path, query, body: body.value, caller: found.caller };
  const result = await callProcedure(req, call);
  if (result.kind === 'answered') return { status: successStatus, json: result.json };
  const answer = errorAnswer(result.error);
  if (answer) return answer;
  throw result.error;
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH';
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
