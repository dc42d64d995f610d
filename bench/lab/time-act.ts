import type { Page } from '@playwright/test';

/** The event to wait for, and JavaScript expressions that show its effect. `$` and `$$` select elements. */
export type Watch = {
  event: 'keydown' | 'click';
  /** Changes its value at the first visible effect. */
  shows: string;
  /** Becomes true when the page shows the server's response. */
  ends?: string | undefined;
};

/** Times from an event until the effect is rendered, in ms. `ended` equals `shown` without `ends`. */
export type Times = { shown: number; ended: number };

const TIMEOUT_MS = 10_000;

/**
 * Measures an act in the page: from the timestamp of its event until the browser has rendered the frame with its effect.
 * The wait for that frame, up to 17 ms at 60 Hz, is part of it.
 */
export async function timeAct(page: Page, watch: Watch, act: () => Promise<unknown>): Promise<Times> {
  await page.evaluate(startWatch, { ...watch, timeoutMs: TIMEOUT_MS });
  await act();
  return page.evaluate(() => (window as unknown as { watched: Promise<Times> }).watched);
}

/** Runs in the browser. */
function startWatch({ event, shows, ends, timeoutMs }: Watch & { timeoutMs: number }): void {
  const reader = (expression: string) => {
    const read = new Function('$', '$$', `return ${expression}`);
    return () =>
      read(document.querySelector.bind(document), (selector: string) => [
        ...document.querySelectorAll(selector),
      ]);
  };
  const read = reader(shows);
  const isEnded = ends === undefined ? () => true : reader(ends);
  const before = read();
  const painted = (isReached: () => boolean) =>
    new Promise<number>((resolve) => {
      const check = () => {
        if (!isReached()) return requestAnimationFrame(check);
        // This task runs after the rendering of the frame.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        return port2.postMessage(null);
      };
      requestAnimationFrame(check);
    });
  const watched = new Promise<Times>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${shows}, then ${ends}`)), timeoutMs);
    const listen = async (given: Event) => {
      // Ctrl precedes the key that it modifies.
      if (given instanceof KeyboardEvent && given.key === 'Control') return;
      window.removeEventListener(event, listen, { capture: true });
      const { timeStamp } = given;
      const shown = await painted(() => read() !== before);
      const ended = isEnded() ? shown : await painted(isEnded);
      clearTimeout(timer);
      resolve({ shown: shown - timeStamp, ended: ended - timeStamp });
    };
    window.addEventListener(event, listen, { capture: true });
  });
  Object.assign(window, { watched });
}
