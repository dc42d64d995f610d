import { endConnection } from '#server/connections/end-connection.ts';
import { inTransaction } from '#server/db.ts';
import { pass, type Step } from '#server/oauth/token-error.ts';
import { digest } from '#server/secrets.ts';

/**
 * Revocation (RFC 7009): an access or refresh token ends its whole connection. An unknown token, one already
 * revoked and none at all are answered alike (spec.md §4.1).
 * @returns the body of the answer: an empty array
 */
export async function revokeConnection(values: Map<string, string>): Promise<Step<never[]>> {
  const tokenHash = digest(values.get('token') ?? '');
  await inTransaction(async (tx) => {
    const select = { connectionId: true } as const;
    const token =
      (await tx.accessToken.findUnique({ where: { tokenHash }, select })) ??
      (await tx.refreshToken.findUnique({ where: { tokenHash }, select }));
    if (token) await endConnection(tx, { id: token.connectionId, reason: 'revoked_by_platform' });
  });
  return pass([]);
}
