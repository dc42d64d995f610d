/** Waits for a permit of a key. Returns the function that releases it, or undefined after the timeout. */
export type Semaphore = (key: string) => Promise<(() => void) | undefined>;

type Limits = { max: number; waitingMax: number; waitMs: number };
type Permits = { taken: number; waiting: (() => void)[] };

/**
 * Limits concurrency in this process to `max` per key. The limits are read at each call. Up to `waitingMax` further calls wait for `waitMs` ms, so that a page with
 * six pictures gets all of them.
 */
export function makeSemaphore(limits: Limits): Semaphore {
  const keys = new Map<string, Permits>();
  return async (key) => {
    const permits = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, permits);
    if (permits.taken < limits.max) permits.taken += 1;
    else if (permits.waiting.length >= limits.waitingMax || !(await waitInLine(permits, limits.waitMs)))
      return undefined;
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

/** Waits for a released permit, first in, first out. */
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
