import type pg from 'pg';
import { dataPool, pool } from '#server/core/database/db.ts';

/**
 * Opens every connection that requests of this process may use, and keeps them while no one asks. Else a rush would
 * begin with opening them all at once, which takes half a second of a busy database, while everyone waits.
 * Where the database does not answer they are opened when they are needed, as ever. Never throws.
 */
export async function keepConnections(): Promise<void> {
  await Promise.all([pool(), dataPool()].map(keepFull));
}

async function keepFull(connections: pg.Pool): Promise<void> {
  const { max } = connections.options;
  Object.assign(connections.options, { min: max });
  const opened = await Promise.allSettled(Array.from({ length: max }, () => connections.connect()));
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
}
