import { checkStillAllowed } from '#server/automation/connections/check-still-allowed.ts';
import { lockActiveConnection } from '#server/automation/connections/lock-active-connection.ts';
import { err, ok, type Result } from '#server/automation/oauth/token-error.ts';
import { issueAccessToken, tokenResponse } from '#server/automation/oauth/tokens.ts';
import { db, inTransaction } from '#server/ground/db.ts';
import { log } from '#server/ground/log.ts';
import { digest } from '#server/ground/secrets.ts';

const NOT_VALID = 'The refresh token is unknown or revoked.';

/**
 * The grant `refresh_token` (RFC 6749 §6): a new access token, and the same refresh token again. Refreshes of a
 * connection wait for each other on its row; each is answered, and only the last token issued works.
 */
export async function refreshAccess(
  values: Map<string, string>,
): Promise<Result<ReturnType<typeof tokenResponse>>> {
  const refreshToken = values.get('refresh_token');
  if (refreshToken === undefined) return err('invalid_request', 'The parameter refresh_token is missing.');
  const connection = await findConnection(refreshToken);
  if (!connection) return err('invalid_grant', NOT_VALID);
  const outcome = await inTransaction(async (tx) => {
    if (!(await checkStillAllowed(tx, connection))) {
      return err('invalid_grant', 'The teammate may no longer connect this workspace.');
    }
    if (!(await lockActiveConnection(tx, connection.id))) return err('invalid_grant', NOT_VALID);
    return ok(tokenResponse(await issueAccessToken(tx, connection.id), refreshToken));
  });
  if (outcome.ok) log().info({ connectionId: connection.id, grant: 'refresh_token' }, 'oauth.token_issued');
  return outcome;
}

/** The connection of a refresh token that was not revoked; whether it is still active its lock tells. */
async function findConnection(refreshToken: string) {
  const found = await db().refreshToken.findUnique({
    where: { tokenHash: digest(refreshToken), revokedAt: null },
    select: { connection: { select: { id: true, workspaceId: true, userId: true } } },
    relationLoadStrategy: 'join',
  });
  return found?.connection;
}
