'use client';

import { ExactOnHover } from '#app/components/ui/exact-on-hover.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { formatTime, type TimeStyle } from '#app/lib/format-time.ts';

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
