'use client';

import { Tooltip } from '#app/components/ui/overlays/tooltip.tsx';
import { useNow } from '#app/components/ui/time/now-provider.tsx';
import { exactTime, formatTime, type TimeStyle } from '#app/lib/format/format-time.ts';

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
