import type { IncomingMessage, ServerResponse } from 'node:http';
import { settings } from '#server/env.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { requestId, sendJson } from '#server/http/send-json.ts';
import { takeFrom } from '#server/limits/limits.ts';
import { log } from '#server/log.ts';
import { authenticateClient } from '#server/oauth/authenticate-client.ts';
import { exchangeCode } from '#server/oauth/exchange-code.ts';
import { readForm } from '#server/oauth/read-form.ts';
import { refreshAccess } from '#server/oauth/refresh-access.ts';
import { revokeConnection } from '#server/oauth/revoke-connection.ts';
import { singleParameters } from '#server/oauth/single-parameters.ts';
import { fail, type Step, TOKEN_ERROR_STATUSES } from '#server/oauth/token-error.ts';

type Handler = (values: Map<string, string>) => Promise<Step<unknown>>;

/** Seconds after which the platform may ask again when the fault is ours. */
const RETRY_AFTER_FAULT = '5';
const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** POST /oauth/token: both grants (spec.md §4.1, RFC 6749 §3.2). */
export function handleToken(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return handleClientRequest(req, res, (values) => {
    const grant = GRANTS.get(values.get('grant_type') ?? '');
    if (grant) return grant(values);
    const known = [...GRANTS.keys()].join(' or ');
    return Promise.resolve(fail('unsupported_grant_type', `The grant_type must be ${known}.`));
  });
}

/** POST /oauth/revoke (spec.md §4.1, RFC 7009). */
export function handleRevoke(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return handleClientRequest(req, res, revokeConnection);
}

const GRANTS = new Map<string, Handler>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshAccess],
]);

/**
 * What both endpoints share: method, limit per address, single parameters, client. Every fault of ours is a
 * `503`: a `400` or `401` would tell the platform that its user must reconnect (decisions: OAuth, 8).
 */
async function handleClientRequest(
  req: IncomingMessage,
  res: ServerResponse,
  handler: Handler,
): Promise<void> {
  try {
    if (req.method !== 'POST') {
      sendJson(res, 405, { message: 'This address answers POST only.' }, { Allow: 'POST' });
      return;
    }
    const limit = await takeFrom('token', clientAddress(req, settings().TRUST_PROXY));
    if (!limit.allowed) {
      const headers = { ...NO_STORE, 'Retry-After': String(limit.retryAfterSeconds) };
      sendJson(res, 429, { message: 'Too Many Attempts.' }, headers);
      return;
    }
    const result = await judge(req, handler);
    if (result.ok) {
      sendJson(res, 200, result.value, NO_STORE);
      return;
    }
    const { error, description } = result.error;
    log().info({ requestId: requestId(res), path: req.url, error, description }, 'oauth.refused');
    // RFC 6749 §5.2: a client that tried HTTP Basic is told the scheme.
    const challenge = error === 'invalid_client' ? { 'WWW-Authenticate': 'Basic realm="oauth"' } : {};
    const body = { error, error_description: description };
    sendJson(res, TOKEN_ERROR_STATUSES[error], body, { ...NO_STORE, ...challenge });
  } catch (error) {
    log().error({ err: error, requestId: requestId(res) }, 'oauth.failed');
    const headers = { ...NO_STORE, 'Retry-After': RETRY_AFTER_FAULT };
    sendJson(res, 503, { message: 'The service cannot answer just now. Try again soon.' }, headers);
  }
}

async function judge(req: IncomingMessage, handler: Handler): Promise<Step<unknown>> {
  const { values, repeated } = singleParameters(await readForm(req));
  if (repeated.size > 0) {
    return fail('invalid_request', 'No parameter may be sent more than once.');
  }
  const client = authenticateClient(values, req.headers.authorization);
  return client.ok ? handler(values) : client;
}
