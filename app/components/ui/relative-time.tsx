'use client';

import { useMoment } from '#app/components/ui/clock.tsx';
import { HoverNote } from '#app/components/ui/hover-note.tsx';
import { describeTime, exactTime, type TimeStyle } from '#app/lib/describe-time.ts';

type Props = { at: Date; style?: TimeStyle; className?: string };

/** How long ago something was; the exact time on hover. */
export function RelativeTime({ at, style = 'sentences', className }: Props) {
  const { now, timeZone } = useMoment();
  return (
    <HoverNote note={exactTime(at, timeZone)}>
      <time dateTime={at.toISOString()} className={className}>
        {describeTime(at, now, timeZone, style)}
      </time>
    </HoverNote>
  );
}
