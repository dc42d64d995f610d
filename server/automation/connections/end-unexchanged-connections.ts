import { endConnection } from '#server/automation/connections/end-connection.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { processDue } from '#server/core/database/process-due.ts';

/**
 * Ends connections whose code was never exchanged within its life, and frees their slots (decisions: OAuth, 1).
 * @returns how many ended
 */
export async function endUnexchangedConnections(): Promise<number> {
  return processDue('connection.not_ended', {
    find: (limit, passedOver) => db().$queryRaw<{ id: string }[]>`
      select c.id from connections c
      where c.ended_at is null and c.exchanged_at is null and c.id <> all (${passedOver}::uuid[])
        and not exists (
          select from authorization_codes a where a.connection_id = c.id and a.expires_at > now()
        )
      limit ${limit}::int`,
    work: async ({ id }) =>
      Boolean(await inTransaction((tx) => endConnection(tx, { id, reason: 'never_exchanged' }))),
  });
}
