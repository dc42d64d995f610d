'use client';

import { useMoment } from '#app/components/ui/clock.tsx';
import { HoverNote } from '#app/components/ui/hover-note.tsx';
import { describeSince, exactTime } from '#app/lib/describe-time.ts';

/** The time of day since which something is so, with its day if that is not today; the exact time on hover. */
export function TimeSince({ at }: { at: Date }) {
  const { now, timeZone } = useMoment();
  return (
    <HoverNote note={exactTime(at, timeZone)}>
      <time dateTime={at.toISOString()}>{describeSince(at, now, timeZone)}</time>
    </HoverNote>
  );
}
