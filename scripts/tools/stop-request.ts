import { once } from 'node:events';

/** `requested` aborts at the first request to stop, `forced` at the second. */
export type StopRequest = { requested: AbortSignal; forced: AbortSignal };

/**
 * Listens for Ctrl-C, SIGTERM, a closed terminal and the end of the parent process. One Ctrl-C may arrive twice, from
 * the terminal and from npm, so only a later one counts as a second.
 */
export function listenForStop(): StopRequest {
  const requested = new AbortController();
  const forced = new AbortController();
  let requestedAt = 0;
  const stop = () => {
    if (!requested.signal.aborted) {
      requestedAt = performance.now();
      requested.abort();
    } else if (performance.now() - requestedAt > SAME_REQUEST_MS) {
      forced.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', () => requested.abort());
  process.channel?.unref();
  // Writing to a closed terminal fails, which must not leave processes behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return { requested: requested.signal, forced: forced.signal };
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const SAME_REQUEST_MS = 750;
