import type { Server } from 'node:http';

/** Interval at which idle connections are closed, in ms. */
const SWEEP_MS = 100;

/** Emitted when a server starts to close. Handlers of endless responses then end them. */
export const SERVER_CLOSING = 'closing';

/**
 * Stops accepting connections and lets requests in flight finish. Connections are closed when they become
 * idle, as clients keep them open. After `patienceMs` the remaining ones are cut.
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
