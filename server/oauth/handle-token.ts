import type { IncomingMessage, ServerResponse } from 'node:http';
import { settings } from '#server/env.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { requestId, sendJson } from '#server/http/send-json.ts';
import { takeFrom } from '#server/limits/limits.ts';
import { log } from '#server/log.ts';
import { countRevocation } from '#server/metrics/count-revocation.ts';
import { countTokenAnswer } from '#server/metrics/count-token-answer.ts';
import type { Grant } from '#server/metrics/metrics.ts';
import { authenticateClient } from '#server/oauth/authenticate-client.ts';
import { exchangeCode } from '#server/oauth/exchange-code.ts';
import { readForm } from '#server/oauth/read-form.ts';
import { refreshAccess } from '#server/oauth/refresh-access.ts';
import { revokeConnection } from '#server/oauth/revoke-connection.ts';
import { singleParameters } from '#server/oauth/single-parameters.ts';
import { fail, type Step, TOKEN_ERROR_STATUSES, type TokenError } from '#server/oauth/token-error.ts';

type Handler = (values: Map<string, string>) => Promise<Step<unknown>>;
/** Counts an answer; `values` is empty when the form could not be read. */
type Count = (values: Map<string, string>, result: 'done' | TokenError['error'] | 'fault') => void;

/** Seconds after which the platform may ask again when the fault is ours. */
const RETRY_AFTER_FAULT = '5';
const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** POST /oauth/token: both grants (spec.md §4.1, RFC 6749 §3.2). */
export function handleToken(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return handleClientRequest(req, res, issueTokens, (values, result) =>
    countTokenAnswer(grantOf(values) ?? 'unknown', result === 'done' ? 'issued' : result),
  );
}

/** POST /oauth/revoke (spec.md §4.1, RFC 7009). */
export function handleRevoke(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return handleClientRequest(req, res, revokeConnection, (_values, result) =>
    countRevocation(result === 'done' ? 'answered' : result),
  );
}

const GRANTS: Record<Exclude<Grant, 'unknown'>, Handler> = {
  authorization_code: exchangeCode,
  refresh_token: refreshAccess,
};

async function issueTokens(values: Map<string, string>): Promise<Step<unknown>> {
  const grant = grantOf(values);
  if (grant) return GRANTS[grant](values);
  const known = Object.keys(GRANTS).join(' or ');
  return fail('unsupported_grant_type', `The grant_type must be ${known}.`);
}

function grantOf(values: Map<string, string>): keyof typeof GRANTS | undefined {
  const given = values.get('grant_type');
  return given === 'authorization_code' || given === 'refresh_token' ? given : undefined;
}

/**
 * What both endpoints share: method, limit per address, single parameters, client. Every fault of ours is a
 * `503`: a `400` or `401` would tell the platform that its user must reconnect (decisions: OAuth, 8).
 */
async function handleClientRequest(
  req: IncomingMessage,
  res: ServerResponse,
  handler: Handler,
  count: Count,
): Promise<void> {
  let values = new Map<string, string>();
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
    const form = singleParameters(await readForm(req));
    values = form.values;
    const result = await judge(req, form, handler);
    count(values, result.ok ? 'done' : result.error.error);
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
    count(values, 'fault');
    log().error({ err: error, requestId: requestId(res) }, 'oauth.failed');
    const headers = { ...NO_STORE, 'Retry-After': RETRY_AFTER_FAULT };
    sendJson(res, 503, { message: 'The service cannot answer just now. Try again soon.' }, headers);
  }
}

async function judge(
  req: IncomingMessage,
  { values, repeated }: ReturnType<typeof singleParameters>,
  handler: Handler,
): Promise<Step<unknown>> {
  if (repeated.size > 0) {
    return fail('invalid_request', 'No parameter may be sent more than once.');
  }
  const client = authenticateClient(values, req.headers.authorization);
  return client.ok ? handler(values) : client;
}
