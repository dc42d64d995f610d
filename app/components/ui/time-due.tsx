'use client';

import { useEffect, useState } from 'react';
import { useMoment } from '#app/components/ui/clock.tsx';
import { HoverNote } from '#app/components/ui/hover-note.tsx';
import { describeDue, exactTime } from '#app/lib/describe-time.ts';

const TICK_MS = 1_000;

/** When something will be; the exact time on hover. Counts down by the second, as it may be near. */
export function TimeDue({ at }: { at: Date }) {
  const { now: begun, timeZone } = useMoment();
  const [now, setNow] = useState(begun);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <HoverNote note={exactTime(at, timeZone)}>
      <time dateTime={at.toISOString()}>{describeDue(at, now)}</time>
    </HoverNote>
  );
}
