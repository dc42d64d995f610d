import { authenticateClient, isFromPlatform } from '#server/automation/oauth/authenticate-client.ts';
import { exchangeCode } from '#server/automation/oauth/exchange-code.ts';
import { refreshAccess } from '#server/automation/oauth/refresh-access.ts';
import { endReusedCodes, revokeConnection } from '#server/automation/oauth/revoke-connection.ts';
import { type SingleParameters, singleParameters } from '#server/automation/oauth/single-parameters.ts';
import { err, type Result } from '#server/automation/oauth/token-error.ts';

export type ClientRequest = {
  form: URLSearchParams;
  authorization: string | undefined;
  /** When the request arrived, by `performance.now()`. */
  receivedAt: number;
};

export const GRANTS = ['authorization_code', 'refresh_token'] as const;
type Grant = (typeof GRANTS)[number];

/** Returns the grant of a form; undefined if missing or unknown. */
export function grantOf(form: URLSearchParams): Grant | undefined {
  return GRANTS.find((grant) => grant === form.get('grant_type'));
}

/**
 * Handles a token request (RFC 6749 §3.2): checks repeated parameters, then the client, then the grant. If a
 * request of the authenticated platform is refused for any reason, the used codes in it end their
 * connections.
 */
export async function handleTokenRequest({
  form,
  authorization,
  receivedAt,
}: ClientRequest): Promise<Result<unknown>> {
  const parameters = singleParameters(form);
  const checked = checkClient(parameters, authorization);
  const response = checked.ok ? await issueTokens(parameters.values, grantOf(form), receivedAt) : checked;
  if (!response.ok && isFromPlatform(parameters.values, authorization)) {
    await endReusedCodes(form.getAll('code'));
  }
  return response;
}

/**
 * Handles a revocation request (RFC 7009 §2): checks repeated parameters, then the client, then the token.
 */
export async function handleRevocation({ form, authorization }: ClientRequest): Promise<Result<unknown>> {
  const parameters = singleParameters(form);
  const checked = checkClient(parameters, authorization);
  return checked.ok ? revokeConnection(parameters.values) : checked;
}

function checkClient(
  { values, repeated }: SingleParameters,
  authorization: string | undefined,
): Result<true> {
  if (repeated.size > 0) return err('invalid_request', 'No parameter may be sent more than once.');
  return authenticateClient(values, authorization);
}

async function issueTokens(
  values: Map<string, string>,
  grant: Grant | undefined,
  receivedAt: number,
): Promise<Result<unknown>> {
  switch (grant) {
    case 'authorization_code':
      return exchangeCode(values);
    case 'refresh_token':
      return refreshAccess(values, receivedAt);
    case undefined:
      return err('unsupported_grant_type', `The grant_type must be ${GRANTS.join(' or ')}.`);
  }
}
