import { endConnection } from '#server/automation/connections/end-connection.ts';
import { ok, type Result } from '#server/automation/oauth/token-error.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { digest } from '#server/core/secrets.ts';

/**
 * Revocation (RFC 7009): a connection's access token, expired or not, or its refresh token ends all of it. An unknown
 * token, one already revoked and none at all are answered alike and end nothing (spec.md §4.1). An access token that a
 * refresh replaced is one already revoked: it gives access to nothing, its purpose "is already achieved" (RFC 7009
 * §2.2), and a platform that tidies up after a refresh must not lose its connection by that.
 * @returns the body of the response: an empty array
 */
export async function revokeConnection(values: Map<string, string>): Promise<Result<never[]>> {
  const hash = digest(values.get('token') ?? '');
  await inTransaction(async (tx) => {
    const [connection] = await tx.$queryRaw<{ id: string }[]>`
      select connection_id as id from refresh_tokens where token_hash = ${hash} and revoked_at is null
      union all
      select c.id from access_tokens t join connections c on c.id = t.connection_id and c.access_token_hash = t.token_hash
      where t.token_hash = ${hash} and c.ended_at is null`;
    if (connection) await endConnection(tx, { id: connection.id, reason: 'revoked_by_platform' });
  });
  return ok([]);
}
