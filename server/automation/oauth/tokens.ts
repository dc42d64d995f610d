import type { Tx } from '#server/core/database/db.ts';
import { digest, newSecret } from '#server/core/secrets.ts';

/** Lives of codes and tokens (spec.md §5, §8). A refresh token lives as long as its connection. */
export const CODE_SECONDS = 600;
export const ACCESS_TOKEN_SECONDS = 7200;
/** The one fixed scope (decisions: OAuth, 12). */
export const SCOPE = 'automation';

const CODE_PREFIX = 'kzc_';
const ACCESS_TOKEN_PREFIX = 'kza_';
const REFRESH_TOKEN_PREFIX = 'kzr_';

/** A new authorization code; only its digest is stored. */
export function newCode(): string {
  return newSecret(CODE_PREFIX);
}

/** A new access token; only its digest is stored. */
export function newAccessToken(): string {
  return newSecret(ACCESS_TOKEN_PREFIX);
}

/** A new refresh token; only its digest is stored. */
export function newRefreshToken(): string {
  return newSecret(REFRESH_TOKEN_PREFIX);
}

/**
 * Issues a connection's access token; the previous one stops working in the same transaction. The caller holds
 * the connection's lock. Expiry is set and judged by the database's clock. One round trip.
 */
export async function issueAccessToken(tx: Tx, connectionId: string): Promise<string> {
  const token = newAccessToken();
  const hash = digest(token);
  await tx.$executeRaw`
    with replaced as (
      update connections set access_token_hash = ${hash} where id = ${connectionId}::uuid returning id
    )
    insert into access_tokens (token_hash, connection_id, expires_at)
    select ${hash}, id, now() + make_interval(secs => ${ACCESS_TOKEN_SECONDS}) from replaced`;
  return token;
}

/** The success body of the token endpoint (spec.md §4.1). */
export function tokenResponse(accessToken: string, refreshToken: string) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: SCOPE,
  };
}
