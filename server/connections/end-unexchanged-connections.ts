import { endConnection } from '#server/connections/end-connection.ts';
import { db, inTransaction } from '#server/db.ts';

/**
 * Ends connections whose code was never exchanged within its life, and frees their slots (decisions: OAuth, 1).
 * @returns how many ended
 */
export async function endUnexchangedConnections(): Promise<number> {
  const due = await db().$queryRaw<{ id: string }[]>`
    select c.id from connections c
    where c.ended_at is null and c.exchanged_at is null
      and not exists (
        select from authorization_codes a where a.connection_id = c.id and a.expires_at > now()
      )`;
  let ended = 0;
  for (const { id } of due) {
    if (await inTransaction((tx) => endConnection(tx, { id, reason: 'never_exchanged' }))) ended += 1;
  }
  return ended;
}
