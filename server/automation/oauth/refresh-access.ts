import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { err, NO_LONGER_ADMIN, ok, type Result } from '#server/automation/oauth/token-error.ts';
import {
  ACCESS_TOKEN_SECONDS,
  newAccessToken,
  type TokenResponse,
  tokenResponse,
} from '#server/automation/oauth/tokens.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { prepared } from '#server/core/database/sql.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

const NOT_VALID = 'The refresh_token is unknown or revoked. Ask the teammate to connect again.';

/**
 * Issues a new access token and returns the same refresh token: the grant `refresh_token` (RFC 6749 §6).
 * Serializes the refreshes of a connection: each gets a token, and only the last token works.
 */
export async function refreshAccess(values: Map<string, string>): Promise<Result<TokenResponse>> {
  const refreshToken = values.get('refresh_token');
  if (refreshToken === undefined) return err('invalid_request', 'The parameter refresh_token is missing.');
  const accessToken = newAccessToken();
  const connectionId = await replaceAccessToken(refreshToken, accessToken);
  if (connectionId === undefined) return err('invalid_grant', await explainRefusal(refreshToken));
  log().info({ connectionId, grant: 'refresh_token' }, 'oauth.token_issued');
  return ok(tokenResponse(accessToken, refreshToken));
}

const ADMINS = ADMIN_ROLES.map((role) => `'${role}'`).join(', ');
/**
 * Waits for the connection's row lock and then checks the row again, so an ended connection gets no token.
 */
const REPLACE_ACCESS_TOKEN = {
  name: 'replace-access-token',
  text: `
    with replaced as (
      update connections c set access_token_hash = $2 from refresh_tokens r
      where r.token_hash = $1 and r.revoked_at is null and c.id = r.connection_id and c.ended_at is null and exists (
        select from members m
        where m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.role in (${ADMINS})
      )
      returning c.id
    )
    insert into access_tokens (token_hash, connection_id, expires_at)
    select $2, id, now() + interval '${ACCESS_TOKEN_SECONDS} seconds' from replaced
    returning connection_id as id`,
};

/**
 * Returns the connection's id; undefined when the refresh token is invalid or its teammate may no longer
 * connect.
 */
async function replaceAccessToken(refreshToken: string, accessToken: string): Promise<string | undefined> {
  const values = [refreshToken, accessToken].map((token) => Buffer.from(digest(token)));
  const { rows } = await pool().query<{ id: string }>({ ...REPLACE_ACCESS_TOKEN, values });
  return rows[0]?.id;
}

/** Returns why a refresh token was refused. Ends the connection if its teammate may no longer connect. */
async function explainRefusal(refreshToken: string): Promise<string> {
  type Connection = { id: string; workspaceId: string | null; userId: string | null };
  const [connection] = await prepared().$queryRaw<Connection[]>`
    select c.id, c.workspace_id as "workspaceId", c.user_id as "userId"
    from refresh_tokens r join connections c on c.id = r.connection_id
    where r.token_hash = ${digest(refreshToken)} and r.revoked_at is null`;
  if (!connection) return NOT_VALID;
  const isAllowed = await inTransaction((tx) => checkStillAllowed(tx, connection));
  return isAllowed ? NOT_VALID : NO_LONGER_ADMIN;
}
