/** Minimum interval between two refreshes of one target, in ms, across all callers. */
const PAUSE_MS = 1_000;

type Target = { refresh: () => void };
type Pause = { again: boolean };

const pauses = new WeakMap<Target, Pause>();

/** Refreshes immediately, or at the end of the interval after the last refresh. */
export function refreshSoon(target: Target): void {
  const pause = pauses.get(target);
  if (pause) {
    pause.again = true;
    return;
  }
  const started: Pause = { again: false };
  pauses.set(target, started);
  target.refresh();
  setTimeout(() => {
    pauses.delete(target);
    if (started.again) refreshSoon(target);
  }, PAUSE_MS);
}
