import type { IncomingMessage, ServerResponse } from 'node:http';
import { callProcedure } from '#server/api/call-procedure.ts';
import {
  type ErrorResponse,
  errorResponse,
  invalidResponse,
  unauthorizedResponse,
} from '#server/api/error-response.ts';
import {
  callOnce,
  type JsonResponse,
  KEY_HEADER,
  refuseKey,
  type WriteChange,
} from '#server/api/idempotent-call.ts';
import { DOCUMENT_HEADERS, servedOpenApiJson } from '#server/api/openapi/document.ts';
import { findRoute } from '#server/api/routes.ts';
import { type Caller, findCaller, touchConnection } from '#server/automation/connections/find-caller.ts';
import { TOKEN_EXPIRED_MESSAGE } from '#server/contract/connection-messages.ts';
import { API_PATH, settings } from '#server/core/env.ts';
import { FAULT_MESSAGE } from '#server/core/errors.ts';
import { consumeLimit, type LimitState } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { readJsonBody } from '#server/http/request/read-body.ts';
import { parseBearerToken, pathOf, queryOf } from '#server/http/request/request-parts.ts';
import { problemHeaders, RequestProblem } from '#server/http/response/request-problem.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';

/** Returns whether a path is in `{api_base}/*`. */
export function isApiPath(path: string): boolean {
  return path === API_PATH || path.startsWith(`${API_PATH}/`);
}

/** Handles an API call and logs one line about it. */
export async function handleApiCall(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const start = performance.now();
  const path = pathOf(req);
  const response = await respondToCall(req, res).catch((error: unknown): ApiResponse => {
    if (error instanceof RequestProblem) {
      const { requestProblem: status, message } = error;
      return { status, body: { message }, headers: problemHeaders(error) };
    }
    log().error({ err: error, requestId: requestId(res) }, 'api.failed');
    return { status: 500, body: { message: FAULT_MESSAGE } };
  });
  sendJson(res, response.status, 'json' in response ? response.json : response.body, response.headers);
  const durationMs = Math.round(performance.now() - start);
  const { status, connectionId } = response;
  log().info(
    { requestId: requestId(res), connectionId, method: req.method, path, status, durationMs },
    'api.answered',
  );
}

type ApiResponse = (ErrorResponse | JsonResponse) & {
  /** The connection of the call, once known. */
  connectionId?: string;
};

/**
 * Checks in the contract's order (docs/rulings.md 2.1): path, method, credentials, rate limit, role,
 * idempotency key, body, then the procedure. Only the OpenAPI document needs no credentials.
 */
async function respondToCall(req: IncomingMessage, res: ServerResponse): Promise<ApiResponse> {
  const rawPath = pathOf(req);
  const route = findRoute(rawPath.slice(API_PATH.length));
  if (!route) return { status: 404, body: { message: 'There is nothing at this address.' } };
  // Node leaves out the body of a response to HEAD.
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
  const operation = route.operations.get(method);
  if (!operation) {
    const methods = [...route.operations.keys()];
    const body = { message: `This address supports ${methods.join(', ')} only.` };
    const allowed = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
    return { status: 405, body, headers: { Allow: allowed.join(', ') } };
  }

  const { procedure, successStatus } = operation;
  if (procedure === null) {
    return { status: successStatus, json: servedOpenApiJson(settings()), headers: DOCUMENT_HEADERS };
  }

  const authenticated = await authenticate(req, res);
  if ('refused' in authenticated) return authenticated.refused;
  const { caller } = authenticated;
  const { connectionId } = caller;
  if (caller.lastUsedIsStale) await touchConnection(connectionId);

  // Node joins repeated headers with ", ", and a key cannot contain a space.
  const key = method === 'POST' ? req.headers[IDEMPOTENCY_KEY] : undefined;
  const refusedKey = key === undefined ? undefined : refuseKey(String(key));
  if (refusedKey) return { ...refusedKey, connectionId };

  const body = hasBody(method) ? await readJsonBody(req) : NO_BODY;
  if (body.kind === 'too_large') {
    return { status: 413, body: { message: 'The body must be at most 1 MB.' }, connectionId };
  }
  if (body.kind === 'malformed') return { ...invalidResponse({ body: [body.message] }), connectionId };

  // The last of a duplicate parameter counts (docs/rulings.md 1.9).
  const query = Object.fromEntries(queryOf(req));
  const sent = hasBody(method) ? body.value : query;
  const call = (write?: WriteChange) =>
    callProcedure(procedure, { ...sent, ...route.parameters }, caller, write);
  if (key !== undefined) {
    const keyed = { caller, key: String(key), method, path: rawPath, body: body.bytes, successStatus };
    return { ...(await callOnce(keyed, call)), connectionId };
  }
  try {
    return { status: successStatus, json: JSON.stringify(await call()), connectionId };
  } catch (error) {
    const response = errorResponse(error);
    if (!response) throw error;
    return { ...response, connectionId };
  }
}

/** Checks credentials, then rate limit, then role. An authenticated caller gets the limit headers. */
async function authenticate(
  req: IncomingMessage,
  res: ServerResponse,
): Promise<{ caller: Caller } | { refused: ApiResponse }> {
  const token = parseBearerToken(req);
  if (token === undefined) return { refused: unauthorizedResponse(TOKEN_EXPIRED_MESSAGE) };
  const found = await findCaller(token);
  if (found.kind === 'unauthorized') {
    // Unknown tokens are counted by IP address, to limit guessing.
    const address = clientAddress(req);
    const guesses = found.isUnknown ? await consumeLimit('unknown_token', address) : undefined;
    if (guesses?.allowed !== false) return { refused: unauthorizedResponse(found.message) };
    setLimitHeaders(res, guesses);
    return { refused: tooMany(guesses) };
  }

  const { connectionId } = found.kind === 'caller' ? found.caller : found;
  const limit = await consumeLimit('api', connectionId);
  setLimitHeaders(res, limit);
  if (!limit.allowed) {
    return { refused: { ...tooMany(limit), connectionId } };
  }
  if (found.kind === 'forbidden') {
    return { refused: { status: 403, body: { message: found.message }, connectionId } };
  }
  return { caller: found.caller };
}

function setLimitHeaders(res: ServerResponse, { limit, remaining }: LimitState): void {
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
}

function tooMany({ retryAfterSeconds }: LimitState): ErrorResponse {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return { status: 429, body: { message: 'Too Many Attempts.' }, headers };
}

const IDEMPOTENCY_KEY = KEY_HEADER.toLowerCase();
const NO_BODY = { kind: 'object' as const, value: {}, bytes: Buffer.alloc(0) };

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH';
}
