import { checkStillAllowed } from '#server/automation/connections/check-still-allowed.ts';
import { lockActiveConnection } from '#server/automation/connections/lock-active-connection.ts';
import { err, ok, type Result } from '#server/automation/oauth/token-error.ts';
import type { TokenLimit } from '#server/automation/oauth/token-limit.ts';
import {
  ACCESS_TOKEN_SECONDS,
  issueAccessToken,
  newAccessToken,
  tokenResponse,
} from '#server/automation/oauth/tokens.ts';
import { inTransaction, pool } from '#server/ground/db.ts';
import { log } from '#server/ground/log.ts';
import { digest } from '#server/ground/secrets.ts';
import { MANAGING_ROLES } from '#server/people/teammates/roles.ts';

const NOT_VALID = 'The refresh_token is unknown or revoked. Ask the teammate to connect again.';

type Issued = Result<ReturnType<typeof tokenResponse>>;
type Found = { id: string; workspaceId: string | null; userId: string | null; issued: boolean };

/**
 * The grant `refresh_token` (RFC 6749 §6): a new access token, and the same refresh token again. Refreshes of a
 * connection wait for each other on its row; each is answered, and only the last token issued works.
 * @param limit of the request, if it has one: while it refuses the request, no token is issued
 */
export async function refreshAccess(values: Map<string, string>, limit?: TokenLimit): Promise<Issued> {
  const refreshToken = values.get('refresh_token');
  if (refreshToken === undefined) return err('invalid_request', 'The parameter refresh_token is missing.');
  if (limit && !(await limit.take()).allowed) return err('invalid_grant', NOT_VALID);
  const accessToken = newAccessToken();
  const found = await issueAtOnce(refreshToken, accessToken);
  if (!found) return err('invalid_grant', NOT_VALID);
  const outcome = found.issued
    ? ok(tokenResponse(accessToken, refreshToken))
    : await issueInTurn(found, refreshToken);
  if (outcome.ok) log().info({ connectionId: found.id, grant: 'refresh_token' }, 'oauth.token_issued');
  return outcome;
}

/**
 * The connection of a refresh token that was not revoked; when it is active, its teammate may still connect, and no other
 * refresh is under way, its next access token is issued too, in this one round trip. The token before it is revoked first: only
 * one may live, which a unique index holds. A refresh that waited for another does not see the token which that one
 * issued, and so issues none.
 */
const ISSUE = {
  name: 'refresh-access',
  text: `
    with found as (
      select c.id, c.workspace_id, c.user_id from refresh_tokens r join connections c on c.id = r.connection_id
      where r.token_hash = $1 and r.revoked_at is null
    ), held as (
      select c.id from connections c
      where c.id = (select id from found) and c.ended_at is null and exists (
        select from members m where m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.role::text = any ($4)
      )
      for no key update
    ), before as (
      update access_tokens set revoked_at = now()
      where connection_id = (select id from held) and revoked_at is null returning 1
    ), issued as (
      insert into access_tokens (token_hash, connection_id, expires_at)
      select $2, id, now() + make_interval(secs => $3) from held where (select count(*) from before) >= 0
      on conflict do nothing returning 1
    )
    select id, workspace_id as "workspaceId", user_id as "userId", exists (select from issued) as issued from found`,
};

async function issueAtOnce(refreshToken: string, accessToken: string): Promise<Found | undefined> {
  const hashes = [refreshToken, accessToken].map((token) => Buffer.from(digest(token)));
  const values = [...hashes, ACCESS_TOKEN_SECONDS, [...MANAGING_ROLES]];
  const { rows } = await pool().query<Found>({ ...ISSUE, values });
  return rows[0];
}

/** With the connection locked first, so that whatever another one did is seen; says what was wrong, and ends what must end. */
function issueInTurn(connection: Found, refreshToken: string): Promise<Issued> {
  return inTransaction(async (tx) => {
    if (!(await checkStillAllowed(tx, connection))) {
      return err(
        'invalid_grant',
        'The teammate is no longer an owner or admin of this workspace. Ask one of them to connect again.',
      );
    }
    if (!(await lockActiveConnection(tx, connection.id))) return err('invalid_grant', NOT_VALID);
    return ok(tokenResponse(await issueAccessToken(tx, connection.id), refreshToken));
  });
}
