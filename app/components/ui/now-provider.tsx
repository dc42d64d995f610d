'use client';

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';
import { browserTimeZone } from '#app/lib/browser-time-zone.ts';

type Now = { now: number; timeZone: string };

/** `rendered` is the server's render time, `read` returns the current time. */
type Time = { rendered: Now; read: () => Now; subscribe: (changed: () => void) => () => void };

const TICK_MS = 30_000;

function startTime(renderedAt: number): Time {
  const rendered = { now: renderedAt, timeZone: 'UTC' };
  const listeners = new Set<() => void>();
  let current = rendered;
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    current = { now: Date.now(), timeZone: browserTimeZone() };
    for (const changed of listeners) changed();
  };
  return {
    rendered,
    read: () => current,
    subscribe: (changed) => {
      listeners.add(changed);
      if (timer === undefined) {
        timer = setInterval(tick, TICK_MS);
        tick();
      }
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const TimeContext = createContext<Time>(startTime(0));

/**
 * Provides the current time. Server and first client render must agree, including parts that hydrate late, so each
 * starts with the server's time in UTC. Afterwards the browser's clock and time zone apply.
 */
export function NowProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  const [time] = useState(() => startTime(renderedAt));
  return <TimeContext value={time}>{children}</TimeContext>;
}

/** Returns the current time and the reader's time zone. Rerenders every 30 seconds. */
export function useNow(): Now {
  const { subscribe, read, rendered } = useContext(TimeContext);
  return useSyncExternalStore(subscribe, read, () => rendered);
}
