/** At most one refresh in so many milliseconds, from all callers together. */
const PAUSE_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let again = false;

/** Refreshes the page at once, or, when it was refreshed a moment ago, as soon as that is a second ago. */
export function refreshSoon(router: { refresh: () => void }): void {
  if (timer !== undefined) {
    again = true;
    return;
  }
  router.refresh();
  timer = setTimeout(() => {
    timer = undefined;
    if (!again) return;
    again = false;
    refreshSoon(router);
  }, PAUSE_MS);
}
