import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pool } from '#server/core/database/pools.ts';
import { warmUp } from '#server/http/warm-up.ts';

/**
 * Heap growth in percent of the live heap before V8 runs a full collection. On a machine with much memory V8
 * allows fourfold growth, which garbage of requests fills. The more frequent collections cost no measurable
 * time.
 */
const HEAP_GROWTH = 30;

/** Prepares a server before it listens, so that the first requests are as fast as later ones. Never throws. */
export async function getReady(): Promise<void> {
  returnMemory();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  await keepConnections();
  await warmUp();
}

/**
 * Frees the memory that loading the service took, a third of the process. V8 would otherwise fill it with
 * garbage.
 */
function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
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
