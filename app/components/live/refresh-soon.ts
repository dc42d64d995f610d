/** Minimum interval between two refreshes of one target, in ms, across all callers. */
const PAUSE_MS = 1_000;
/** Time after which a refresh that has not ended no longer delays the next one, in ms. */
const SLOW_MS = 10_000;

/** `refresh` may return a promise that resolves when the refresh has ended. */
type Target = { refresh: () => unknown };
type Refresh = { again: boolean };

const refreshes = new WeakMap<Target, Refresh>();

/**
 * Refreshes immediately, or when the last refresh has ended and its interval too. A refresh cancels one in progress, so
 * continuous changes would otherwise end each one before its response.
 */
export function refreshSoon(target: Target): void {
  const last = refreshes.get(target);
  if (last) {
    last.again = true;
    return;
  }
  const started: Refresh = { again: false };
  refreshes.set(target, started);
  const ended = Promise.race([target.refresh(), after(SLOW_MS)]);
  void Promise.allSettled([ended, after(PAUSE_MS)]).then(() => {
    refreshes.delete(target);
    if (started.again) refreshSoon(target);
  });
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
