/**
 * Waits for a permit of a key. Returns the function that releases it, or undefined after the timeout.
 * `weight`: what the permit takes of `max`, at most all of it; 1 by default.
 */
export type Semaphore = (key: string, weight?: number) => Promise<(() => void) | undefined>;

/** `waitMs`: timeout in ms; none by default. */
type Limits = { max: number; waitingMax: number; waitMs?: number };
type Permits = { taken: number; waiting: { weight: number; start: () => void }[] };

/**
 * Limits concurrency in this process to `max` per key. The limits are read at each call. Up to `waitingMax` further calls wait for `waitMs` ms, so that a page with
 * six pictures gets all of them. They start in order of arrival, so that light ones cannot starve a heavy one.
 */
export function makeSemaphore(limits: Limits): Semaphore {
  const keys = new Map<string, Permits>();

  function startNext(permits: Permits): void {
    for (let next = permits.waiting[0]; next; next = permits.waiting[0]) {
      if (permits.taken + next.weight > limits.max) return;
      permits.waiting.shift();
      permits.taken += next.weight;
      next.start();
    }
  }

  function waitInLine(permits: Permits, weight: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter = { weight, start: () => resolve(true) };
    permits.waiting.push(waiter);
    if (limits.waitMs === undefined) return promise;
    const timer = setTimeout(() => {
      permits.waiting = permits.waiting.filter((other) => other !== waiter);
      resolve(false);
      startNext(permits);
    }, limits.waitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  return async (key, weight = 1) => {
    const permits = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, permits);
    const isFree = permits.waiting.length === 0 && permits.taken + weight <= limits.max;
    if (isFree) permits.taken += weight;
    else if (permits.waiting.length >= limits.waitingMax || !(await waitInLine(permits, weight)))
      return undefined;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      permits.taken -= weight;
      startNext(permits);
      if (permits.taken === 0) keys.delete(key);
    };
  };
}
