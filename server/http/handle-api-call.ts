import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiContract, type ApiResponse, commonLimitHeaders } from '#server/api/api-contract.ts';
import {
  type ErrorResponse,
  errorResponse,
  invalidResponse,
  unauthorizedResponse,
} from '#server/api/error-response.ts';
import { callOnce, KEY_HEADER, refuseKey } from '#server/api/idempotent-call.ts';
import { DOCUMENT_HEADERS } from '#server/api/openapi/document.ts';
import { openWriter, type Writer } from '#server/api/write-change.ts';
import { settings } from '#server/core/env.ts';
import { FAULT_MESSAGE } from '#server/core/errors.ts';
import { consumeLimit, type LimitState } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { traced } from '#server/core/tracing/tracing.ts';
import { type CallBody, readFileBody } from '#server/http/files/read-file-body.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { readJsonBody } from '#server/http/request/read-body.ts';
import { parseBearerToken, pathOf, queryOf } from '#server/http/request/request-parts.ts';
import { problemHeaders, RequestProblem } from '#server/http/response/request-problem.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';

/** A request to an API: its path below the API's address, percent-encoded. */
type ApiRequest = { req: IncomingMessage; res: ServerResponse; path: string };

/** Handles a call of an API and logs one line about it. */
export async function handleApiCall<Caller>(
  contract: ApiContract<Caller>,
  request: ApiRequest,
): Promise<void> {
  const { req, res } = request;
  const start = performance.now();
  const id = requestId(res);
  setHeaders(res, contract.headers(id));
  const response = await respondToCall(contract, request).catch((error: unknown): ApiResponse => {
    if (error instanceof RequestProblem) {
      const { requestProblem: status, message } = error;
      return { status, body: { message }, headers: problemHeaders(error) };
    }
    log().error({ err: error, requestId: id }, 'api.failed');
    return { status: 500, body: { message: FAULT_MESSAGE } };
  });
  sendJson(res, response.status, 'json' in response ? response.json : response.body, response.headers);
  const durationMs = Math.round(performance.now() - start);
  const { status, ownerId } = response;
  log().info(
    {
      requestId: id,
      [contract.ownerKey]: ownerId,
      method: req.method,
      path: pathOf(req),
      status,
      durationMs,
    },
    'api.answered',
  );
}

/**
 * Checks in the contract's order (docs/rulings.md 2.1): path, method, credentials, rate limit, role or ability,
 * idempotency key, body, then the procedure. Only the OpenAPI document needs no credentials.
 */
async function respondToCall<Caller>(
  contract: ApiContract<Caller>,
  { req, res, path }: ApiRequest,
): Promise<ApiResponse> {
  const route = contract.findRoute(path);
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
    return { status: successStatus, json: contract.document(settings()), headers: DOCUMENT_HEADERS };
  }

  const authenticated = await authenticateCall(contract, req, res);
  if ('refused' in authenticated) return authenticated.refused;
  const { caller } = authenticated;
  const ownerId = contract.ownerOf(caller);
  const refusal = contract.refuse(caller, procedure);
  if (refusal !== undefined) return { status: 403, body: { message: refusal }, ownerId };
  await contract.touch(caller, clientAddress(req));

  // Node joins repeated headers with ", ", and a key cannot contain a space.
  const key = method === 'POST' ? req.headers[IDEMPOTENCY_KEY] : undefined;
  const refusedKey = key === undefined ? undefined : refuseKey(String(key));
  if (refusedKey) return { ...refusedKey, ownerId };

  const isUpload = contract.uploads.has(procedure);
  const sender = { ownerId, workspaceId: contract.workspaceOf(caller), address: clientAddress(req) };
  const body = isUpload ? await readFileBody(req, sender) : await readJson(req, method);
  if (body.kind === 'refused') return { ...body.response, ownerId };

  // The last of a duplicate parameter counts (docs/rulings.md 1.9).
  const query = Object.fromEntries(queryOf(req));
  const input = { ...(hasBody(method) ? body.value : query), ...route.parameters };
  const conditions = contract.conditions(caller);
  const call = (writer: Writer) =>
    traced(procedure, {}, () => contract.call(procedure, { input, caller, writer }));
  if (key !== undefined) {
    const keyed = {
      ownerId,
      workspaceId: contract.workspaceOf(caller),
      key: String(key),
      method,
      basePath: contract.basePath,
      path,
      body: body.bytes,
      successStatus,
      conditions,
    };
    return { ...(await callOnce(keyed, call)), ownerId };
  }
  try {
    return { status: successStatus, json: JSON.stringify(await call(openWriter(conditions))), ownerId };
  } catch (error) {
    const response = errorResponse(error);
    if (!response) throw error;
    return { ...response, ownerId };
  }
}

/** Checks credentials, then rate limit, then role. An authenticated caller gets the limit headers. */
export async function authenticateCall<Caller>(
  contract: ApiContract<Caller>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<{ caller: Caller } | { refused: ApiResponse }> {
  const token = parseBearerToken(req);
  if (token === undefined) return { refused: unauthorizedResponse(contract.noTokenMessage) };
  const found = await contract.authenticate(token);
  if (found.kind === 'unauthorized') {
    // Unknown tokens are counted by IP address, to limit guessing.
    const address = clientAddress(req);
    const guesses = found.isUnknown ? await consumeLimit('unknown_token', address) : undefined;
    if (guesses?.allowed !== false) return { refused: unauthorizedResponse(found.message) };
    setHeaders(res, commonLimitHeaders(guesses));
    return { refused: tooMany(guesses) };
  }

  const ownerId = found.kind === 'caller' ? contract.ownerOf(found.caller) : found.ownerId;
  const limit = await consumeLimit(contract.limit, ownerId);
  setHeaders(res, contract.limitHeaders(limit));
  if (!limit.allowed) return { refused: { ...tooMany(limit), ownerId } };
  if (found.kind === 'forbidden') {
    return { refused: { status: 403, body: { message: found.message }, ownerId } };
  }
  return { caller: found.caller };
}

function setHeaders(res: ServerResponse, headers: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function tooMany({ retryAfterSeconds }: LimitState): ErrorResponse {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return { status: 429, body: { message: 'Too Many Attempts.' }, headers };
}

const IDEMPOTENCY_KEY = KEY_HEADER.toLowerCase();
const NO_BODY = { kind: 'object' as const, value: {}, bytes: Buffer.alloc(0) };

async function readJson(req: IncomingMessage, method: string): Promise<CallBody> {
  const body = hasBody(method) ? await readJsonBody(req) : NO_BODY;
  if (body.kind === 'object') return body;
  const response =
    body.kind === 'too_large'
      ? { status: 413, body: { message: 'The body must be at most 1 MB.' } }
      : invalidResponse({ body: [body.message] });
  return { kind: 'refused', response };
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH';
}
