import { endConnection } from '#server/automation/connections/end-connection.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { digest } from '#server/core/secrets.ts';

/**
 * Ends the connections of those codes that were used before: the client that presents one again, or did so first, may
 * have stolen it (RFC 6749 §4.1.2, §10.5). To be called for every token request of the authenticated platform that was
 * refused, whatever else was wrong with it (decisions: OAuth, 4).
 * @param codes what the request presented as codes; unknown and unused ones are left alone
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
