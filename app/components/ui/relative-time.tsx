'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { exactTime, formatDue, formatSince, formatTime, type TimeStyle } from '#app/lib/format-time.ts';

type Props = { at: Date; style?: TimeStyle; className?: string };

/** How long ago something was; the exact time on hover. */
export function RelativeTime({ at, style = 'sentences', className }: Props) {
  const { now, timeZone } = useNow();
  return (
    <ExactOnHover at={at} className={className}>
      {formatTime(at, now, timeZone, style)}
    </ExactOnHover>
  );
}

/** The time of day since which something is so, with its day if that is not today; the exact time on hover. */
export function TimeSince({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return <ExactOnHover at={at}>{formatSince(at, now, timeZone)}</ExactOnHover>;
}

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

type ExactOnHoverProps = Omit<ComponentProps<'time'>, 'dateTime' | 'title'> & { at: Date };

/** A time in words; the exact one on hover, which is only written then: a list has a hundred times. */
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
