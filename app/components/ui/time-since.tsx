'use client';

import { useNow } from '#app/components/ui/now-provider.tsx';
import { Tooltip } from '#app/components/ui/tooltip.tsx';
import { exactTime, formatSince } from '#app/lib/format-time.ts';

/** The time of day since which something is so, with its day if that is not today; the exact time on hover. */
export function TimeSince({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return (
    <Tooltip note={exactTime(at, timeZone)}>
      <time dateTime={at.toISOString()}>{formatSince(at, now, timeZone)}</time>
    </Tooltip>
  );
}
