import { setTimeout as sleep } from 'node:timers/promises';
import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { err, NO_LONGER_ADMIN, ok, type Result } from '#server/automation/oauth/token-error.ts';
import {
  ACCESS_TOKEN_SECONDS,
  MAX_LIVE_TOKENS,
  newAccessToken,
  type TokenResponse,
  tokenResponse,
} from '#server/automation/oauth/tokens.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

const NOT_VALID = 'The refresh_token is unknown or revoked. Ask the teammate to connect again.';

/**
 * A response waits this long, in ms. Requests that a client sends at the same time arrive some milliseconds apart, perhaps at
 * several servers. So they arrive while the first one is still in progress, and its token stays valid. While other
 * connections refresh too, responses do not wait, so no throughput is lost.
 */
const RESPONSE_DELAY_MS = 15;
/** A token counts as issued this much before the end of the wait, in ms: surely before its response. */
const TOLERANCE_MS = 3;
/** Refresh tokens of the requests in progress in this process. */
const inProgress: string[] = [];

/**
 * Issues a new access token and returns the same refresh token: the grant `refresh_token` (RFC 6749 §6). Ends the access
 * tokens that were issued before the request arrived. So the tokens of overlapping refreshes work side by side until the
 * next refresh (docs/rulings.md 4.5).
 * @param receivedAt when the request arrived, by `performance.now()`
 */
export async function refreshAccess(
  values: Map<string, string>,
  receivedAt = performance.now(),
): Promise<Result<TokenResponse>> {
  const refreshToken = values.get('refresh_token');
  if (refreshToken === undefined) return err('invalid_request', 'The parameter refresh_token is missing.');
  const accessToken = newAccessToken();
  const delayMs = inProgress.every((other) => other === refreshToken) ? RESPONSE_DELAY_MS : 0;
  inProgress.push(refreshToken);
  try {
    const connectionId = await replaceAccessTokens(refreshToken, accessToken, { receivedAt, delayMs });
    if (connectionId === undefined) return err('invalid_grant', await explainRefusal(refreshToken));
    log().info({ connectionId, grant: 'refresh_token' }, 'oauth.token_issued');
    if (delayMs > 0) await sleep(delayMs);
  } finally {
    inProgress.splice(inProgress.indexOf(refreshToken), 1);
  }
  return ok(tokenResponse(accessToken, refreshToken));
}

const ADMINS = ADMIN_ROLES.map((role) => `'${role}'`).join(', ');
/**
 * Locks the connection's row and checks it, so an ended connection gets no token. Only then reads the clock and the times of
 * the live tokens, so it sees the tokens that were issued while it waited. Each token's time is later than those before.
 */
const REPLACE_ACCESS_TOKENS = {
  name: 'replace-access-tokens',
  text: `
    with locked as (
      select c.id from refresh_tokens r join connections c on c.id = r.connection_id
      where r.token_hash = $1 and r.revoked_at is null and c.ended_at is null and exists (
        select from members m
        where m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.role in (${ADMINS})
      )
      for no key update of c
    ), replaced as (
      update connections c set live_token_times = (
        greatest(clock_timestamp() + $4::float8 * interval '1 ms', c.live_token_times[1] + interval '1 microsecond')
          || array(
            select issued from unnest(c.live_token_times) issued
            where issued >= now() - $3::float8 * interval '1 ms' order by issued desc
          )
      )[:${MAX_LIVE_TOKENS}]
      from locked where c.id = locked.id
      returning c.id, c.live_token_times[1] as issued
    )
    insert into access_tokens (token_hash, connection_id, expires_at, created_at)
    select $2, id, now() + interval '${ACCESS_TOKEN_SECONDS} seconds', issued from replaced
    returning connection_id as id`,
};

/**
 * Returns the connection's id; undefined when the refresh token is invalid or its teammate may no longer
 * connect.
 */
async function replaceAccessTokens(
  refreshToken: string,
  accessToken: string,
  { receivedAt, delayMs }: { receivedAt: number; delayMs: number },
): Promise<string | undefined> {
  const hashes = [refreshToken, accessToken].map((token) => Buffer.from(digest(token)));
  const client = await pool().connect();
  try {
    // Read once a connection is free, because the request's age includes the wait for it.
    const ageMs = performance.now() - receivedAt;
    const values = [...hashes, ageMs, Math.max(delayMs - TOLERANCE_MS, 0)];
    const { rows } = await client.query<{ id: string }>({ ...REPLACE_ACCESS_TOKENS, values });
    client.release();
    return rows[0]?.id;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Returns why a refresh token was refused. Ends the connection if its teammate may no longer connect. */
async function explainRefusal(refreshToken: string): Promise<string> {
  type Connection = { id: string; workspaceId: string | null; userId: string | null };
  const [connection] = await sql().$queryRaw<Connection[]>`
    select c.id, c.workspace_id as "workspaceId", c.user_id as "userId"
    from refresh_tokens r join connections c on c.id = r.connection_id
    where r.token_hash = ${digest(refreshToken)} and r.revoked_at is null`;
  if (!connection) return NOT_VALID;
  const isAllowed = await inTransaction((tx) => checkStillAllowed(tx, connection));
  return isAllowed ? NOT_VALID : NO_LONGER_ADMIN;
}
