import { validate as isUuid } from 'uuid';
import { endConnection } from '#server/automation/connections/end-connection.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';

/**
 * Disconnects a connection of a workspace at the hand of an owner or admin. One that has ended meanwhile stays
 * as it is. Throws a Refusal when the workspace has no such connection.
 */
export async function disconnect(given: {
  workspaceId: string;
  connectionId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, connectionId: id, by } = given;
  await inTransaction(async (tx) => {
    const known = isUuid(id) ? await tx.connection.count({ where: { id, workspaceId } }) : 0;
    if (known === 0) throw notFound('The connection');
    await endConnection(tx, { id, reason: 'disconnected', by });
  });
}
