/** The latest moment for what waits for an idle page, in milliseconds. */
const LATEST_MS = 3_000;

/** Does something that nobody waits for yet, once the page is idle. Returns how to leave it. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle time.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, LATEST_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: LATEST_MS });
  return () => cancelIdleCallback(idle);
}
