import type { Server } from 'node:http';

/** How often connections that have become idle are closed, in milliseconds. */
const SWEEP_MS = 100;

/** Emitted by a server that begins to close: answers without an end of their own are to be ended then. */
export const SERVER_CLOSING = 'closing';

/**
 * Lets requests under way finish and takes no new connections. Clients keep idle ones open for long, so these are
 * closed as they become idle; after `patienceMs` the rest is cut off.
 */
export async function closeServer(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.emit(SERVER_CLOSING);
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(patience);
}
