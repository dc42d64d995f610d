import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pool } from '#server/core/database/pools.ts';
import { warmUp } from '#server/http/warm-up.ts';

/**
 * By so many percent of what is in use the heap may grow before V8 collects all of it again. Where there is much memory V8 lets it
 * grow fourfold, and what requests leave behind fills that; to collect more often takes no time that could be measured.
 */
const HEAP_GROWTH = 30;

/** What a server does before it listens, so that the first requests after a start are answered like all others. Never throws. */
export async function getReady(): Promise<void> {
  returnMemory();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  await keepConnections();
  await warmUp();
}

/** Returns what loading the service took: a third of the process, which V8 would keep for the garbage of requests. */
function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Opens every connection that requests of this process may use, and keeps them while no one asks. Else a rush would
 * begin with opening them all at once, which takes half a second of a busy database, while everyone waits.
 * Where the database does not answer they are opened when they are needed, as ever. Never throws.
 */
export async function keepConnections(): Promise<void> {
  const connections = pool();
  const { max } = connections.options;
  Object.assign(connections.options, { min: max });
  const opened = await Promise.allSettled(Array.from({ length: max }, () => connections.connect()));
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
}
