/** Timeout of the idle callback, in ms. */
const TIMEOUT_MS = 3_000;

/** Runs low-priority work once the page is idle. Returns the cancel function. */
export function whenIdle(work: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, TIMEOUT_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: TIMEOUT_MS });
  return () => cancelIdleCallback(idle);
}
