'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { exactTime, formatDue, formatSince, formatTime, type TimeStyle } from '#app/lib/format-time.ts';

type Props = { at: Date; style?: TimeStyle; className?: string };

/** Relative time. The tooltip shows the exact time. */
export function RelativeTime({ at, style = 'sentences', className }: Props) {
  const { now, timeZone } = useNow();
  return (
    <ExactOnHover at={at} className={className}>
      {formatTime(at, now, timeZone, style)}
    </ExactOnHover>
  );
}

/** Time of day, with the date if it is not today. The tooltip shows the exact time. */
export function TimeSince({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return <ExactOnHover at={at}>{formatSince(at, now, timeZone)}</ExactOnHover>;
}

const TICK_MS = 1_000;

/** Countdown to a time, updated every second. The tooltip shows the exact time. */
export function TimeDue({ at }: { at: Date }) {
  const { now: initial } = useNow();
  const [now, setNow] = useState(initial);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <ExactOnHover at={at}>{formatDue(at, now)}</ExactOnHover>;
}

type ExactOnHoverProps = Omit<ComponentProps<'time'>, 'dateTime' | 'title'> & { at: Date };

/** Sets the tooltip on hover only, because a list contains about a hundred times. */
function ExactOnHover({ at, ...rest }: ExactOnHoverProps) {
  const { timeZone } = useNow();
  return (
    <time
      dateTime={at.toISOString()}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exactTime(at, timeZone);
      }}
      {...rest}
    />
  );
}
