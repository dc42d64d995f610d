import { newSecret } from '#server/core/secrets.ts';

/**
 * Lifetimes of codes and tokens, in seconds (docs/spec.md §5, §8). A refresh token lives as long as its
 * connection.
 */
export const CODE_SECONDS = 600;
export const ACCESS_TOKEN_SECONDS = 7200;
/** Maximum number of live access tokens of a connection (docs/rulings.md 4.5). */
export const MAX_LIVE_TOKENS = 20;
/** The only scope (docs/rulings.md 4.12). */
export const SCOPE = 'automation';

// New codes and tokens. Only their digests are stored.

export function newCode(): string {
  return newSecret('kzc_');
}

export function newAccessToken(): string {
  return newSecret('kza_');
}

export function newRefreshToken(): string {
  return newSecret('kzr_');
}

/** Returns the body of a successful token response (docs/spec.md §4.1). */
export function tokenResponse(accessToken: string, refreshToken: string) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: SCOPE,
  };
}

export type TokenResponse = ReturnType<typeof tokenResponse>;
