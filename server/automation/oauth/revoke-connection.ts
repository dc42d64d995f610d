import { endConnection } from '#server/automation/connections/end-connection.ts';
import { ok, type Result } from '#server/automation/oauth/token-error.ts';
import { inTransaction } from '#server/ground/db.ts';
import { digest } from '#server/ground/secrets.ts';

/**
 * Revocation (RFC 7009): a connection's access token, expired or not, or its refresh token ends all of it. An unknown
 * token, one already revoked and none at all are answered alike and end nothing (spec.md §4.1). An access token that a
 * refresh replaced is one already revoked: it stands for nothing any more, its purpose "is already achieved" (RFC 7009
 * §2.2), and a platform that tidies up after a refresh must not lose its connection by that.
 * @returns the body of the answer: an empty array
 */
export async function revokeConnection(values: Map<string, string>): Promise<Result<never[]>> {
  const where = { tokenHash: digest(values.get('token') ?? ''), revokedAt: null };
  await inTransaction(async (tx) => {
    const select = { connectionId: true } as const;
    const token =
      (await tx.accessToken.findUnique({ where, select })) ??
      (await tx.refreshToken.findUnique({ where, select }));
    if (token) await endConnection(tx, { id: token.connectionId, reason: 'revoked_by_platform' });
  });
  return ok([]);
}
