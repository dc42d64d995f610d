import { authenticateClient, isFromPlatform } from '#server/automation/oauth/authenticate-client.ts';
import { type SingleParameters, singleParameters } from '#server/automation/oauth/authorize-request.ts';
import { endReusedCodes } from '#server/automation/oauth/end-reused-codes.ts';
import { exchangeCode } from '#server/automation/oauth/exchange-code.ts';
import { refreshAccess } from '#server/automation/oauth/refresh-access.ts';
import { revokeConnection } from '#server/automation/oauth/revoke-connection.ts';
import { err, type Result } from '#server/automation/oauth/token-error.ts';
import type { TokenLimit } from '#server/automation/oauth/token-limit.ts';

/** A request of the platform itself, not of a teammate's browser: its form and its `Authorization` header. */
export type ClientRequest = {
  form: URLSearchParams;
  authorization: string | undefined;
  limit: TokenLimit;
};

type Handler = (values: Map<string, string>, limit: TokenLimit) => Promise<Result<unknown>>;

/** What a token request may be for (spec.md §5). */
export const GRANTS = {
  authorization_code: exchangeCode,
  refresh_token: refreshAccess,
} satisfies Record<string, Handler>;

/** The grant that a form names; undefined when it names none that there is. */
export function grantOf(form: URLSearchParams): keyof typeof GRANTS | undefined {
  const given = form.get('grant_type');
  return given === 'authorization_code' || given === 'refresh_token' ? given : undefined;
}

/**
 * What the token endpoint answers (RFC 6749 §3.2): single parameters, client, then the grant. When it refuses the
 * platform, whatever for, codes of the request that were used before end their connections.
 * @returns undefined when the limit refuses the request, for which nothing was done then
 */
export async function handleTokenRequest({
  form,
  authorization,
  limit,
}: ClientRequest): Promise<Result<unknown> | undefined> {
  const parameters = singleParameters(form);
  const checked = checkClient(parameters, authorization);
  const response = checked.ok ? await issueTokens(parameters.values, grantOf(form), limit) : checked;
  if (!(await limit.take()).allowed) return undefined;
  if (!response.ok && isFromPlatform(parameters.values, authorization)) {
    await endReusedCodes(form.getAll('code'));
  }
  return response;
}

/** What the revocation endpoint answers (RFC 7009 §2): single parameters, client, then the token. */
export async function handleRevocation({
  form,
  authorization,
  limit,
}: ClientRequest): Promise<Result<unknown> | undefined> {
  if (!(await limit.take()).allowed) return undefined;
  const parameters = singleParameters(form);
  const checked = checkClient(parameters, authorization);
  return checked.ok ? revokeConnection(parameters.values) : checked;
}

/** What must be right of every request of the platform before it is looked at any further. */
function checkClient(
  { values, repeated }: SingleParameters,
  authorization: string | undefined,
): Result<true> {
  if (repeated.size > 0) return err('invalid_request', 'No parameter may be sent more than once.');
  return authenticateClient(values, authorization);
}

async function issueTokens(
  values: Map<string, string>,
  grant: keyof typeof GRANTS | undefined,
  limit: TokenLimit,
): Promise<Result<unknown>> {
  if (grant) return GRANTS[grant](values, limit);
  const known = Object.keys(GRANTS).join(' or ');
  return err('unsupported_grant_type', `The grant_type must be ${known}.`);
}
