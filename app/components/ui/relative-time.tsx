'use client';

import { useNow } from '#app/components/ui/now-provider.tsx';
import { Tooltip } from '#app/components/ui/tooltip.tsx';
import { exactTime, formatTime, type TimeStyle } from '#app/lib/format-time.ts';

type Props = { at: Date; style?: TimeStyle; className?: string };

/** How long ago something was; the exact time on hover. */
export function RelativeTime({ at, style = 'sentences', className }: Props) {
  const { now, timeZone } = useNow();
  return (
    <Tooltip note={exactTime(at, timeZone)}>
      <time dateTime={at.toISOString()} className={className}>
        {formatTime(at, now, timeZone, style)}
      </time>
    </Tooltip>
  );
}
