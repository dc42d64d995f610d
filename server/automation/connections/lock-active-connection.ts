import type { Tx } from '#server/core/database/db.ts';

/** Locks a connection's row so that what follows and its end exclude each other. Returns whether it is active. */
export async function lockActiveConnection(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ active: boolean }[]>`
    select ended_at is null as active from connections where id = ${id}::uuid for no key update`;
  return rows[0]?.active ?? false;
}
