/** An error of the token and revoke endpoints: its code, status and a sentence (RFC 6749 §5.2; docs/spec.md §7). */
export type TokenError = {
  error: 'invalid_client' | 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type';
  description: string;
};

/** The status of each error. */
export const TOKEN_ERROR_STATUSES: Record<TokenError['error'], 400 | 401> = {
  invalid_client: 401,
  invalid_request: 400,
  invalid_grant: 400,
  unsupported_grant_type: 400,
};

/** One step of a token request: what it found out, or the error that ends the request. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: TokenError };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function err(error: TokenError['error'], description: string): { ok: false; error: TokenError } {
  return { ok: false, error: { error, description } };
}

/** The description of `invalid_grant` for both grants when the teammate of the connection was demoted or has left. */
export const NO_LONGER_ADMIN =
  'The teammate is no longer an owner or admin of this workspace. Ask one of them to connect again.';
