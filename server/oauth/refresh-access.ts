import { checkStillAllowed } from '#server/connections/check-still-allowed.ts';
import { lockActiveConnection } from '#server/connections/lock-active-connection.ts';
import { inTransaction } from '#server/db.ts';
import { fail, pass, type Step } from '#server/oauth/token-error.ts';
import { issueAccessToken, tokenAnswer } from '#server/oauth/tokens.ts';
import { digest } from '#server/secrets.ts';

const NOT_VALID = 'The refresh token is unknown or revoked.';

/**
 * The grant `refresh_token` (RFC 6749 §6): a new access token, and the same refresh token again. Refreshes of a
 * connection wait for each other on its row; each is answered, and only the last token issued works.
 */
export async function refreshAccess(
  values: Map<string, string>,
): Promise<Step<ReturnType<typeof tokenAnswer>>> {
  const refreshToken = values.get('refresh_token');
  if (refreshToken === undefined) return fail('invalid_request', 'The parameter refresh_token is missing.');
  return inTransaction(async (tx) => {
    const found = await tx.refreshToken.findUnique({
      where: { tokenHash: digest(refreshToken) },
      select: { revokedAt: true, connection: { select: { id: true, workspaceId: true, userId: true } } },
      relationLoadStrategy: 'join',
    });
    if (!found || found.revokedAt) return fail('invalid_grant', NOT_VALID);
    const { connection } = found;
    if (!(await checkStillAllowed(tx, connection))) {
      return fail('invalid_grant', 'The teammate may no longer connect this workspace.');
    }
    if (!(await lockActiveConnection(tx, connection.id))) return fail('invalid_grant', NOT_VALID);
    return pass(tokenAnswer(await issueAccessToken(tx, connection.id), refreshToken));
  });
}
