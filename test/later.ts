import { vi } from 'vitest';

/** Lets this process's clock run ahead, until `vi.useRealTimers`; timers and sockets go on as they are. */
export function later(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1000);
}
