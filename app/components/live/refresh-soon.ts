/** At most one refresh in so many milliseconds of each thing that can be refreshed, from all callers together. */
const PAUSE_MS = 1_000;

type Refreshed = { refresh: () => void };
type Pause = { again: boolean };

const pauses = new WeakMap<Refreshed, Pause>();

/** Refreshes at once, or, when it was refreshed a moment ago, as soon as that is a second ago. */
export function refreshSoon(refreshed: Refreshed): void {
  const pause = pauses.get(refreshed);
  if (pause) {
    pause.again = true;
    return;
  }
  const begun: Pause = { again: false };
  pauses.set(refreshed, begun);
  refreshed.refresh();
  setTimeout(() => {
    pauses.delete(refreshed);
    if (begun.again) refreshSoon(refreshed);
  }, PAUSE_MS);
}
