'use client';

import { Tooltip } from 'radix-ui';
import { useMoment } from '#app/components/ui/clock.tsx';
import { describeTime, exactTime, type TimeStyle } from '#app/lib/describe-time.ts';

type Props = { at: Date; style?: TimeStyle; className?: string };

/** How long ago something was; the exact time on hover. */
export function RelativeTime({ at, style = 'sentences', className }: Props) {
  const { now, timeZone } = useMoment();
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <time dateTime={at.toISOString()} className={className}>
          {describeTime(at, now, timeZone, style)}
        </time>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 animate-fade rounded-md bg-ink px-2 py-1 text-canvas text-xs"
        >
          {exactTime(at, timeZone)}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
