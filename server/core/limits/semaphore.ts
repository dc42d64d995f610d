/** Waits for a permit of a key; undefined when none became free in time. What it returns gives the permit back. */
export type Semaphore = (key: string) => Promise<(() => void) | undefined>;

type Permits = { taken: number; waiting: (() => void)[] };

/**
 * Lets at most `max` of each key be under way at once in this process. Of those that come besides, `waitingMax` wait in
 * line for `waitMs` milliseconds: a page that asks for six pictures at once gets six.
 */
export function makeSemaphore({
  max,
  waitingMax,
  waitMs,
}: {
  max: number;
  waitingMax: number;
  waitMs: number;
}): Semaphore {
  const keys = new Map<string, Permits>();
  return async (key) => {
    const permits = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, permits);
    if (permits.taken < max) permits.taken += 1;
    else if (permits.waiting.length >= waitingMax || !(await waitInLine(permits, waitMs))) return undefined;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = permits.waiting.shift();
      if (next) return next();
      permits.taken -= 1;
      if (permits.taken === 0) keys.delete(key);
    };
  };
}

/** A permit that is given back goes to the one that waited longest. */
function waitInLine({ waiting }: Permits, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const enter = () => {
      clearTimeout(patience);
      resolve(true);
    };
    const patience = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1);
      resolve(false);
    }, waitMs);
    waiting.push(enter);
  });
}
