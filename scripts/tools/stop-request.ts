import { once } from 'node:events';

/** Reports the first request to stop, and a second one because it takes too long. */
export type StopRequest = { asked: AbortSignal; hurried: AbortSignal };

/**
 * Listens for Ctrl-C, SIGTERM, a closed terminal, and the end of the process that started us. One Ctrl-C may
 * arrive several times, from the terminal and from npm, so only a later one counts as a second.
 */
export function listenForStop(): StopRequest {
  const asked = new AbortController();
  const hurried = new AbortController();
  let askedAt = 0;
  const stop = () => {
    if (!asked.signal.aborted) {
      askedAt = performance.now();
      asked.abort();
    } else if (performance.now() - askedAt > SAME_REQUEST_MS) {
      hurried.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', () => asked.abort());
  process.channel?.unref();
  // A terminal that was closed can no longer be written to, which is no reason to leave processes behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return { asked: asked.signal, hurried: hurried.signal };
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const SAME_REQUEST_MS = 750;
