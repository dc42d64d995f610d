import { vi } from 'vitest';

/** Lets this process's clock run ahead, until `vi.useRealTimers`; timers and sockets go on as they are. */
export function later(seconds: number): void {
  setClock(Date.now() + seconds * 1000);
}

/** Stops the clock of this process at a timestamp in ms, until `vi.useRealTimers`. Timers and sockets run on. */
export function setClock(timestamp: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(timestamp);
}
