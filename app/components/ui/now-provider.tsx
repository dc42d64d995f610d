'use client';

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';

type Moment = { now: number; timeZone: string };

/** The running time: `rendered` is when the server made the page, `read` the present. */
type Time = { rendered: Moment; read: () => Moment; subscribe: (changed: () => void) => () => void };

const TICK_MS = 30_000;

function startTime(renderedAt: number): Time {
  const rendered = { now: renderedAt, timeZone: 'UTC' };
  const listeners = new Set<() => void>();
  let moment = rendered;
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    moment = { now: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    for (const changed of listeners) changed();
  };
  return {
    rendered,
    read: () => moment,
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
 * The time for everything below. What the server rendered and what the browser makes of it first must agree, also in
 * parts of the page that arrive late: so each begins with the server's moment in UTC; then the reader's own clock and
 * time zone take over.
 */
export function NowProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  const [time] = useState(() => startTime(renderedAt));
  return <TimeContext value={time}>{children}</TimeContext>;
}

/** The present moment and the reader's time zone; renders again as time passes. */
export function useNow(): Moment {
  const { subscribe, read, rendered } = useContext(TimeContext);
  return useSyncExternalStore(subscribe, read, () => rendered);
}
