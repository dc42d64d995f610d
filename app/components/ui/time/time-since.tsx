'use client';

import { Tooltip } from '#app/components/ui/overlays/tooltip.tsx';
import { useNow } from '#app/components/ui/time/now-provider.tsx';
import { exactTime, formatSince } from '#app/lib/format/format-time.ts';

/** The time of day since which something is so, with its day if that is not today; the exact time on hover. */
export function TimeSince({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return (
    <Tooltip note={exactTime(at, timeZone)}>
      <time dateTime={at.toISOString()}>{formatSince(at, now, timeZone)}</time>
    </Tooltip>
  );
}
