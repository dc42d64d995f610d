import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { startNotification } from '#server/automation/connections/notify-owners.ts';
import { checkPkce } from '#server/automation/oauth/check-pkce.ts';
import { err, ok, type Result } from '#server/automation/oauth/token-error.ts';
import { type TokenLimit, takeForAddress } from '#server/automation/oauth/token-limit.ts';
import {
  ACCESS_TOKEN_SECONDS,
  newAccessToken,
  newRefreshToken,
  tokenResponse,
} from '#server/automation/oauth/tokens.ts';
import { inTransaction, pool } from '#server/core/database/db.ts';
import { prepared } from '#server/core/database/prepared.ts';
import { statementOf } from '#server/core/database/statement-parts.ts';
import { startMovingJobs } from '#server/core/jobs/queue-job.ts';
import type { Taken } from '#server/core/limits/consume-within.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ChallengeMethod } from '#server/generated/prisma/enums.ts';
import { managerNotificationParts, NOTIFIED } from '#server/teammates/add-notifications.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

type TokenResponse = ReturnType<typeof tokenResponse>;
type IssuedCode = {
  connection_id: string;
  workspace_id: string | null;
  user_id: string | null;
  teammate_name: string;
  redirect_uri: string;
  code_challenge: string | null;
  challenge_method: ChallengeMethod | null;
  used: boolean;
  expired: boolean;
};

const NOT_VALID = 'The code is unknown, expired or already used. Ask the teammate to connect again.';

/**
 * The grant `authorization_code` (RFC 6749 §4.1.3): code, redirect address, PKCE, teammate, then the one
 * conditional update by which exactly one of any number of parallel exchanges wins. A request that fails before
 * that does not use the code up. What becomes of a code that is used already, `endReusedCodes` sees to.
 * @param limit of the request, if it has one: while it refuses the request, no code is found
 */
export async function exchangeCode(
  values: Map<string, string>,
  limit?: TokenLimit,
): Promise<Result<TokenResponse>> {
  const code = values.get('code');
  if (code === undefined) return err('invalid_request', 'The parameter code is missing.');
  const issued = await (limit ? findCodeWithin(limit, code) : findCode(code));
  if (!issued) return err('invalid_grant', NOT_VALID);
  if (issued.used) return err('invalid_grant', NOT_VALID);

  const redirectUri = values.get('redirect_uri');
  if (redirectUri === undefined) return err('invalid_request', 'The parameter redirect_uri is missing.');
  if (issued.expired) return err('invalid_grant', NOT_VALID);
  if (redirectUri !== issued.redirect_uri) {
    return err('invalid_grant', 'The redirect_uri must be the same as in the authorize request.');
  }
  const { code_challenge: value, challenge_method: method } = issued;
  if (!checkPkce(values.get('code_verifier'), value !== null && method !== null ? { value, method } : null)) {
    return err(
      'invalid_grant',
      'The code_verifier does not match the code_challenge of the authorize request.',
    );
  }
  const response = await spend(code, issued);
  if (!response) return err('invalid_grant', await whyNotSpent(issued));
  log().info({ connectionId: issued.connection_id, grant: 'authorization_code' }, 'oauth.token_issued');
  return ok(response);
}

const FIND_CODE = `
    select a.connection_id, c.workspace_id, c.user_id, coalesce(u.name, c.teammate_name) as teammate_name, a.redirect_uri, a.code_challenge,
      a.challenge_method::text as challenge_method,
      a.used_at is not null as used, a.expires_at <= now() as expired
    from authorization_codes a join connections c on c.id = a.connection_id
    left join users u on u.id = c.user_id and u.deleted_at is null
    where a.code_hash = $1`;
const FIND = { name: 'find-code', text: FIND_CODE };
const FIND_AND_COUNT = {
  name: 'find-code-and-count',
  text: `
    with taken as (
      ${takeForAddress(1)}
    )
    select taken.points, taken.expire, code.* from taken left join (${FIND_CODE}
    ) code on true`,
};

async function findCode(code: string): Promise<IssuedCode | undefined> {
  const { rows } = await pool().query<IssuedCode>({ ...FIND, values: [Buffer.from(digest(code))] });
  return rows[0];
}

/** The same by one statement that takes from the limit too. */
function findCodeWithin(limit: TokenLimit, code: string): Promise<IssuedCode | undefined> {
  type Row = Taken & (IssuedCode | { connection_id: null });
  return limit.takeWith({
    atOnce: async (parameters) => {
      const values = [Buffer.from(digest(code)), ...parameters];
      const { rows } = await pool().query<Row>({ ...FIND_AND_COUNT, values });
      const [row] = rows;
      if (!row) throw new Error('The limit returned nothing.');
      return { taken: row, value: row.connection_id === null ? undefined : row };
    },
    apart: () => findCode(code),
  });
}

/**
 * Spends the code in one round trip: of any number of parallel presentations exactly one changes the code's row, and a connection
 * that ends meanwhile gets no tokens. Undefined when it is not this one, the connection has ended, or its teammate may no longer
 * connect.
 */
async function spend(code: string, issued: IssuedCode): Promise<TokenResponse | undefined> {
  const {
    connection_id: id,
    workspace_id: workspaceId,
    user_id: userId,
    teammate_name: teammateName,
  } = issued;
  if (!workspaceId || !userId) return undefined;
  const now = new Date();
  const [accessToken, refreshToken] = [newAccessToken(), newRefreshToken()];
  const accessHash = digest(accessToken);
  const whenExchanged = Prisma.sql`exists (select from exchanged)`;
  const parts = {
    spent: Prisma.sql`
      update authorization_codes a set used_at = now() from connections c
      where a.code_hash = ${digest(code)} and a.used_at is null and c.id = a.connection_id and c.ended_at is null and exists (
        select from members m
        where m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.role::text = any (${[...ADMIN_ROLES]}::text[])
      )
      returning a.connection_id`,
    exchanged: Prisma.sql`
      update connections set exchanged_at = ${now}::timestamptz, access_token_hash = ${accessHash}
      where id = (select connection_id from spent) and ended_at is null returning id`,
    access: Prisma.sql`
      insert into access_tokens (token_hash, connection_id, expires_at)
      select ${accessHash}, id, now() + make_interval(secs => ${ACCESS_TOKEN_SECONDS}) from exchanged`,
    refresh: Prisma.sql`
      insert into refresh_tokens (token_hash, connection_id) select ${digest(refreshToken)}, id from exchanged`,
    ...managerNotificationParts(
      startNotification({ id, workspaceId, userId, teammateName, now }),
      whenExchanged,
    ),
  };
  const [row] = await prepared().$queryRaw<{ exchanged: boolean; notified: number }[]>(
    statementOf(parts, Prisma.sql`select ${whenExchanged} as exchanged, ${NOTIFIED} as notified`),
  );
  if (!row?.exchanged) return undefined;
  log().info({ connectionId: id, workspaceId, userId }, 'connection.started');
  publish(workspaceId, 'deliveries');
  if (row.notified > 0) {
    startMovingJobs();
    publish(workspaceId, 'notifications');
  }
  return tokenResponse(accessToken, refreshToken);
}

/** Why a code could not be spent. A teammate who may no longer connect ends the connection here and now. */
async function whyNotSpent({
  connection_id: id,
  workspace_id: workspaceId,
  user_id: userId,
}: IssuedCode): Promise<string> {
  const isAllowed = await inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
  return isAllowed
    ? NOT_VALID
    : 'The teammate is no longer an owner or admin of this workspace. Ask one of them to connect again.';
}
