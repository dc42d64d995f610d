'use client';

import { useEffect, useState } from 'react';
import { ExactOnHover } from '#app/components/ui/exact-on-hover.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { formatDue } from '#app/lib/format-time.ts';

const TICK_MS = 1_000;

/** When something will be; the exact time on hover. Counts down by the second, as it may be near. */
export function TimeDue({ at }: { at: Date }) {
  const { now: begun } = useNow();
  const [now, setNow] = useState(begun);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <ExactOnHover at={at}>{formatDue(at, now)}</ExactOnHover>;
}
