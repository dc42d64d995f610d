import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ClientRequest,
  GRANTS,
  grantOf,
  handleRevocation,
  handleTokenRequest,
} from '#server/automation/oauth/token-endpoint.ts';
import { type Result, TOKEN_ERROR_STATUSES, type TokenError } from '#server/automation/oauth/token-error.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { counter } from '#server/core/metrics/declare-metrics.ts';
import { REVOKE_PATH, TOKEN_PATH } from '#server/http/oauth/handle-metadata.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { readForm } from '#server/http/request/read-body.ts';
import { requestId, sendJson } from '#server/http/response/send-json.ts';

/** Retry-After of a server error, in seconds. */
const RETRY_AFTER_FAULT = '5';

type Outcome = 'done' | TokenError['error'] | 'fault';
type Endpoint = {
  path: string;
  respond: (request: ClientRequest) => Promise<Result<unknown>>;
  /** Counts a response. The form is empty when it could not be read. The limit counts refused calls. */
  count: (form: URLSearchParams, result: Outcome) => void;
};

/** POST /oauth/token: both grants (docs/spec.md §4.1, RFC 6749 §3.2). */
export function handleToken(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return handleClientRequest(req, res, {
    path: TOKEN_PATH,
    respond: handleTokenRequest,
    count: (form, result) =>
      tokens.inc({ grant: grantOf(form) ?? 'unknown', result: result === 'done' ? 'issued' : result }),
  });
}

/** POST /oauth/revoke (docs/spec.md §4.1, RFC 7009). */
export function handleRevoke(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return handleClientRequest(req, res, {
    path: REVOKE_PATH,
    respond: handleRevocation,
    count: (_form, result) => revocations.inc({ result: result === 'done' ? 'answered' : result }),
  });
}

/**
 * Handles both endpoints: limit per IP address, and the response. An error, also of reading the form, is a `503`,
 * because a `400` or `401` would make the platform ask its user to reconnect (docs/rulings.md 4.8).
 */
async function handleClientRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { path, respond, count }: Endpoint,
): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Pragma', 'no-cache');
  const receivedAt = performance.now();
  let form = new URLSearchParams();
  try {
    const limit = await consumeLimit('token', clientAddress(req));
    if (!limit.allowed) {
      // The limit counts this response.
      const headers = { 'Retry-After': String(limit.retryAfterSeconds) };
      sendJson(res, 429, { message: 'Too Many Attempts.' }, headers);
      return;
    }
    form = await readForm(req);
    const result = await respond({ form, authorization: req.headers.authorization, receivedAt });
    count(form, result.ok ? 'done' : result.error.error);
    if (result.ok) sendJson(res, 200, result.value);
    else sendError(res, path, result.error);
  } catch (error) {
    count(form, 'fault');
    log().error({ err: error, requestId: requestId(res), path }, 'oauth.failed');
    const message = 'The service cannot answer right now. Try again in a few seconds.';
    sendJson(res, 503, { message }, { 'Retry-After': RETRY_AFTER_FAULT });
  }
}

/** Sends an error (RFC 6749 §5.2) and logs it without the request's parameters. */
function sendError(res: ServerResponse, path: string, { error, description }: TokenError): void {
  log().info({ requestId: requestId(res), path, error, description }, 'oauth.refused');
  // A client that used HTTP Basic must get the scheme (RFC 6749 §5.2).
  const headers = error === 'invalid_client' ? { 'WWW-Authenticate': 'Basic realm="oauth"' } : {};
  const body = { error, error_description: description };
  sendJson(res, TOKEN_ERROR_STATUSES[error], body, headers);
}

const tokens = counter({
  name: 'inbox_tokens_total',
  help: 'Responses of the token endpoint, by grant and result.',
  labels: {
    grant: [...GRANTS, 'unknown'],
    result: ['issued', ...Object.keys(TOKEN_ERROR_STATUSES), 'fault'],
  },
});
const revocations = counter({
  name: 'inbox_revocations_total',
  help: 'Responses of the revoke endpoint, by result.',
  labels: { result: ['answered', 'invalid_client', 'invalid_request', 'fault'] },
});
