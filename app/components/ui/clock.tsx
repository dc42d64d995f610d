'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

type Moment = { now: number; timeZone: string };

const ClockContext = createContext<Moment>({ now: 0, timeZone: 'UTC' });

const TICK_MS = 30_000;

/**
 * The time for everything below. What the server rendered and what the browser makes of it first must agree, so
 * both begin with the server's moment in UTC; then the reader's own clock and time zone take over.
 */
export function Clock({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  const [moment, setMoment] = useState<Moment>({ now: renderedAt, timeZone: 'UTC' });
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const tick = () => setMoment({ now: Date.now(), timeZone });
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <ClockContext value={moment}>{children}</ClockContext>;
}

/** The present moment and the reader's time zone; renders anew as time passes. */
export function useMoment(): Moment {
  return useContext(ClockContext);
}
