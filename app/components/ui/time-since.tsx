'use client';

import { ExactOnHover } from '#app/components/ui/exact-on-hover.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { formatSince } from '#app/lib/format-time.ts';

/** The time of day since which something is so, with its day if that is not today; the exact time on hover. */
export function TimeSince({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return <ExactOnHover at={at}>{formatSince(at, now, timeZone)}</ExactOnHover>;
}
