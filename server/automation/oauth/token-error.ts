/** An error of the token and revoke endpoints (RFC 6749 §5.2; docs/spec.md §7). */
export type TokenError = {
  error: 'invalid_client' | 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type';
  description: string;
};

export const TOKEN_ERROR_STATUSES: Record<TokenError['error'], 400 | 401> = {
  invalid_client: 401,
  invalid_request: 400,
  invalid_grant: 400,
  unsupported_grant_type: 400,
};

/** Result of a step of a token request: a value, or the error that ends the request. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: TokenError };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function err(error: TokenError['error'], description: string): { ok: false; error: TokenError } {
  return { ok: false, error: { error, description } };
}

/** Description of `invalid_grant` when the connection's teammate was demoted or has left. */
export const NO_LONGER_ADMIN =
  'The teammate is no longer an owner or admin of this workspace. Ask one of them to connect again.';
