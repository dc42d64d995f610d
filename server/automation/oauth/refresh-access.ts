import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { lockActiveConnection } from '#server/automation/connections/lock-active-connection.ts';
import { err, ok, type Result } from '#server/automation/oauth/token-error.ts';
import { type TokenLimit, takeForAddress } from '#server/automation/oauth/token-limit.ts';
import {
  ACCESS_TOKEN_SECONDS,
  issueAccessToken,
  newAccessToken,
  tokenResponse,
} from '#server/automation/oauth/tokens.ts';
import { afterCommit, inTransaction, pool } from '#server/core/database/db.ts';
import { prepared } from '#server/core/database/prepared.ts';
import type { Taken } from '#server/core/limits/consume-within.ts';
import { LIMITS } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

const NOT_VALID = 'The refresh_token is unknown or revoked. Ask the teammate to connect again.';
const ADMINS = ADMIN_ROLES.map((role) => `'${role}'`).join(', ');

type Issued = Result<ReturnType<typeof tokenResponse>>;
type Connection = { id: string; workspaceId: string | null; userId: string | null };

/**
 * The grant `refresh_token` (RFC 6749 §6): a new access token, and the same refresh token again. Refreshes of a
 * connection take place one after the other; each is answered, and only the last token issued works.
 * @param limit of the request, if it has one: while it refuses the request, no token is issued
 */
export async function refreshAccess(values: Map<string, string>, limit?: TokenLimit): Promise<Issued> {
  const refreshToken = values.get('refresh_token');
  if (refreshToken === undefined) return err('invalid_request', 'The parameter refresh_token is missing.');
  const accessToken = newAccessToken();
  const hashes = [refreshToken, accessToken].map((token) => Buffer.from(digest(token)));
  const connectionId = await (limit ? issueWithin(limit, hashes) : issue(hashes));
  if (connectionId !== undefined) {
    noteIssued(connectionId);
    return ok(tokenResponse(accessToken, refreshToken));
  }
  if (limit && !(await limit.take()).allowed) return err('invalid_grant', NOT_VALID);
  return issueInTurn(refreshToken);
}

function noteIssued(connectionId: string): void {
  log().info({ connectionId, grant: 'refresh_token' }, 'oauth.token_issued');
}

/**
 * Issues the next access token of the connection of a refresh token, in one round trip: when the connection is active, its
 * teammate may still connect, and nothing else has its row locked. It waits for no lock, as it may hold the row of an
 * address that others ask from.
 * @param when what else must hold
 */
const issueParts = (when: string) => `held as (
      select c.id from refresh_tokens r join connections c on c.id = r.connection_id
      where r.token_hash = $1 and r.revoked_at is null and c.ended_at is null and ${when} and exists (
        select from members m
        where m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.role in (${ADMINS})
      )
      for no key update of c skip locked
    ), replaced as (
      update connections c set access_token_hash = $2 from held where c.id = held.id
    ), issued as (
      insert into access_tokens (token_hash, connection_id, expires_at)
      select $2, id, now() + interval '${ACCESS_TOKEN_SECONDS} seconds' from held returning connection_id
    )`;
const ISSUE = {
  name: 'refresh-access',
  text: `
    with ${issueParts('true')}
    select connection_id as id from issued`,
};
const COUNT_AND_ISSUE = {
  name: 'refresh-access-and-count',
  text: `
    with taken as (
      ${takeForAddress(2)}
    ), ${issueParts(`(select points from taken) <= ${LIMITS.token.points}`)}
    select taken.points, taken.expire, issued.connection_id as id from taken left join issued on true`,
};

async function issue(hashes: Buffer[]): Promise<string | undefined> {
  const { rows } = await pool().query<{ id: string }>({ ...ISSUE, values: hashes });
  return rows[0]?.id;
}

/** The same by one statement that takes from the limit too. */
function issueWithin(limit: TokenLimit, hashes: Buffer[]): Promise<string | undefined> {
  return limit.takeWith({
    atOnce: async (parameters) => {
      const values = [...hashes, ...parameters];
      const { rows } = await pool().query<Taken & { id: string | null }>({ ...COUNT_AND_ISSUE, values });
      const [row] = rows;
      if (!row) throw new Error('The limit returned nothing.');
      return { taken: row, value: row.id ?? undefined };
    },
    apart: () => issue(hashes),
  });
}

/** With the connection locked first, so that whatever another one did is seen; says what was wrong, and ends what must end. */
async function issueInTurn(refreshToken: string): Promise<Issued> {
  const [connection] = await prepared().$queryRaw<Connection[]>`
    select c.id, c.workspace_id as "workspaceId", c.user_id as "userId"
    from refresh_tokens r join connections c on c.id = r.connection_id
    where r.token_hash = ${digest(refreshToken)} and r.revoked_at is null`;
  if (!connection) return err('invalid_grant', NOT_VALID);
  return inTransaction(async (tx) => {
    if (!(await checkStillAllowed(tx, connection))) {
      return err(
        'invalid_grant',
        'The teammate is no longer an owner or admin of this workspace. Ask one of them to connect again.',
      );
    }
    if (!(await lockActiveConnection(tx, connection.id))) return err('invalid_grant', NOT_VALID);
    const accessToken = await issueAccessToken(tx, connection.id);
    afterCommit(tx, () => noteIssued(connection.id));
    return ok(tokenResponse(accessToken, refreshToken));
  });
}
