import { endConnection } from '#server/automation/connections/end-connection.ts';
import { ok, type Result } from '#server/automation/oauth/token-error.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { digest } from '#server/core/secrets.ts';

/**
 * Ends the connection of an access token, expired or not, or of a refresh token (RFC 7009). Unknown, revoked
 * and missing tokens get the same response and end nothing (docs/spec.md §4.1). An access token replaced by a
 * refresh counts as revoked: its purpose "is already achieved" (RFC 7009 §2.2). So a platform that revokes
 * old tokens after a refresh does not lose its connection.
 * @returns the body of the response: an empty array
 */
export async function revokeConnection(values: Map<string, string>): Promise<Result<never[]>> {
  const hash = digest(values.get('token') ?? '');
  await inTransaction(async (tx) => {
    const [connection] = await tx.$queryRaw<{ id: string }[]>`
      select connection_id as id from refresh_tokens where token_hash = ${hash} and revoked_at is null
      union all
      select c.id from access_tokens t join connections c on c.id = t.connection_id and t.created_at = any(c.live_token_times)
      where t.token_hash = ${hash} and c.ended_at is null`;
    if (connection) await endConnection(tx, { id: connection.id, reason: 'revoked_by_platform' });
  });
  return ok([]);
}

/**
 * Ends the connections of those codes that are used: the client that presents a used code, or the one that
 * used it first, may have stolen it (RFC 6749 §4.1.2, §10.5). Call for every refused token request of the
 * authenticated platform (docs/rulings.md 4.4). Ignores unknown and unused codes.
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
