'use client';

import { Timer, TimerOff } from 'lucide-react';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { cx } from '#app/lib/cx.ts';
import { type ClockState, formatClock } from '#app/lib/format-clock.ts';
import { exactTime } from '#app/lib/format-time.ts';
import type { ClockView } from '#server/screens/inbox/views.ts';

const tones: Record<ClockState, string> = {
  running: 'text-ink-soft',
  soon: 'font-medium text-note-ink',
  overdue: 'font-medium text-danger-ink',
  paused: 'text-ink-soft',
  met: 'text-ink-soft',
  missed: 'text-danger-ink',
};

type Props = { clock: ClockView; wraps?: boolean };

/** State of an SLA clock, updated over time. The tooltip shows the due time. `wraps`: in lines, where space is narrow. */
export function SlaClock({ clock, wraps = false }: Props) {
  const { now, timeZone } = useNow();
  const { state, words } = formatClock(clock, now, timeZone);
  const Icon = state === 'overdue' || state === 'missed' ? TimerOff : Timer;
  return (
    <span
      title={`Due ${exactTime(clock.dueAt, timeZone)}`}
      className={cx(
        'inline-flex gap-1',
        wraps ? 'min-w-0 items-start' : 'max-w-full shrink-0 items-center',
        tones[state],
      )}
    >
      <Icon aria-hidden size={14} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <span className={cx('tabular', !wraps && 'truncate')}>{words}</span>
    </span>
  );
}
