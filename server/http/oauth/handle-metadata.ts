import type { IncomingMessage, ServerResponse } from 'node:http';
import { AUTHORIZE_PATH } from '#server/automation/oauth/consent-page.ts';
import { GRANTS } from '#server/automation/oauth/token-endpoint.ts';
import { SCOPE } from '#server/automation/oauth/tokens.ts';
import { settings } from '#server/core/env.ts';
import { ChallengeMethod } from '#server/generated/prisma/enums.ts';
import { sendJson } from '#server/http/response/send-json.ts';

/** Where clients look for it (RFC 8414 §3); the issuer has no path of its own. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** It changes with a new version alone; anyone may read and keep it. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** GET /.well-known/oauth-authorization-server (RFC 8414). */
export async function handleMetadata(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendJson(res, 405, { message: 'This address answers GET only.' }, { Allow: 'GET, HEAD' });
    return;
  }
  sendJson(res, 200, serverMetadata(), HEADERS);
}

/** Both ways in which the platform may authenticate (RFC 6749 §2.3.1), by their registered names. */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/**
 * What a client can look up instead of being configured: where the endpoints are and what they take (RFC 8414 §2). The
 * issuer is the service's address, and no response carries `iss`.
 */
function serverMetadata() {
  const { BASE_URL } = settings();
  return {
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}${AUTHORIZE_PATH}`,
    token_endpoint: `${BASE_URL}${TOKEN_PATH}`,
    revocation_endpoint: `${BASE_URL}${REVOKE_PATH}`,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: Object.keys(GRANTS),
    code_challenge_methods_supported: Object.values(ChallengeMethod),
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: false,
    service_documentation: `${BASE_URL}/docs`,
  };
}

/** Where the platform exchanges codes and refreshes tokens, and where it revokes them (spec.md §4.1). */
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
