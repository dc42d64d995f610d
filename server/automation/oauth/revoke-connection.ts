import { endConnection } from '#server/automation/connections/end-connection.ts';
import { ok, type Result } from '#server/automation/oauth/token-error.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { digest } from '#server/core/secrets.ts';

/**
 * Ends the connection of a token (RFC 7009): of an access token, expired or not, or of a refresh token. An unknown token, a
 * revoked token and a missing token get the same response and end nothing (spec.md §4.1). An access token that a refresh
 * replaced counts as revoked: it gives access to nothing, its purpose "is already achieved" (RFC 7009 §2.2), and a platform
 * that tidies up after a refresh must not lose its connection by that.
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

/**
 * Ends the connections of the used codes among these: a client that presents a used code, or the client that used it first, may
 * have stolen it (RFC 6749 §4.1.2, §10.5). Must be called for every refused token request of the authenticated platform,
 * whatever the reason (decisions: OAuth, 4). Unknown and unused codes are left alone.
 */
export async function endReusedCodes(codes: string[]): Promise<void> {
  if (codes.length === 0) return;
  const used = await db().authorizationCode.findMany({
    where: {
      codeHash: { in: codes.map((code) => digest(code)) },
      usedAt: { not: null },
      connection: { endedAt: null },
    },
    select: { connectionId: true },
  });
  for (const { connectionId: id } of used) {
    await inTransaction((tx) => endConnection(tx, { id, reason: 'code_reused' }));
  }
}
