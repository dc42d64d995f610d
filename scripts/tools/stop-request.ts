import { once } from 'node:events';

/** `asked` aborts at the first request to stop, `hurried` at the second. */
export type StopRequest = { asked: AbortSignal; hurried: AbortSignal };

/**
 * Listens for Ctrl-C, SIGTERM, a closed terminal and the end of the parent process. One Ctrl-C may arrive twice, from
 * the terminal and from npm, so only a later one counts as a second.
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
  // Writing to a closed terminal fails, which must not leave processes behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return { asked: asked.signal, hurried: hurried.signal };
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const SAME_REQUEST_MS = 750;
