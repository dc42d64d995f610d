import type { ServerResponse } from 'node:http';
import { AUTHORIZE_PATH } from '#server/automation/oauth/consent-page.ts';
import { GRANTS } from '#server/automation/oauth/token-endpoint.ts';
import { SCOPE } from '#server/automation/oauth/tokens.ts';
import { settings } from '#server/core/env.ts';
import { ChallengeMethod } from '#server/generated/prisma/enums.ts';
import { sendJson } from '#server/http/response/send-json.ts';

/** Well-known path (RFC 8414 §3). The issuer has no path. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Public and cacheable, as it only changes with a new version. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** GET /.well-known/oauth-authorization-server (RFC 8414). */
export function handleMetadata(res: ServerResponse): void {
  sendJson(res, 200, serverMetadata(), HEADERS);
}

/** Client authentication methods (RFC 6749 §2.3.1), by their registered names. */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/**
 * Returns the authorization server metadata (RFC 8414 §2). The issuer is the service's address; responses
 * have no `iss`.
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
    grant_types_supported: [...GRANTS],
    code_challenge_methods_supported: Object.values(ChallengeMethod),
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: false,
    service_documentation: `${BASE_URL}/docs`,
  };
}

/** Token and revocation endpoints (docs/spec.md §4.1). */
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
