import type { Server } from 'node:http';

/** How often connections that have become idle are closed, in milliseconds. */
const SWEEP_MS = 100;

/** Emitted by a server that begins to end: answers without an end of their own are to be ended then. */
export const DRAINING = 'draining';

/**
 * Lets requests under way finish and takes no new connections. Clients keep idle ones open for long, so these are
 * closed as they become idle; after `patienceMs` the rest is cut off.
 */
export async function drainServer(server: Server, patienceMs: number): Promise<void> {
  const drained = new Promise<void>((resolve) => server.close(() => resolve()));
  server.emit(DRAINING);
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  await drained;
  clearInterval(sweep);
  clearTimeout(patience);
}
