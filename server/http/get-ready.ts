import { pool } from '#server/core/database/pools.ts';
import { keepHeapSmall } from '#server/core/process.ts';
import { warmUp } from '#server/http/warm-up.ts';

/** Growth of the heap before a full collection, in percent. The more frequent collections cost no measurable time. */
const HEAP_GROWTH = 30;

/** Prepares a server before it listens, so that the first requests are as fast as later ones. Never throws. */
export async function getReady(): Promise<void> {
  keepHeapSmall(HEAP_GROWTH);
  await keepConnections();
  await warmUp();
}

/**
 * Opens all database connections of this process and keeps them open while idle. Otherwise a burst of
 * requests would open them together, which takes half a second of a busy database. If the database is
 * unreachable, they are opened on demand. Never throws.
 */
export async function keepConnections(): Promise<void> {
  const connections = pool();
  const { max } = connections.options;
  Object.assign(connections.options, { min: max });
  const opened = await Promise.allSettled(Array.from({ length: max }, () => connections.connect()));
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
}
