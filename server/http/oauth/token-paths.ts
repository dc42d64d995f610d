/** Where the platform exchanges codes and refreshes tokens, and where it revokes them (spec.md §4.1). */
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
