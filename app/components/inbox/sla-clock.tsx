'use client';

import { Timer, TimerOff } from 'lucide-react';
import { useMoment } from '#app/components/ui/clock.tsx';
import { HoverNote } from '#app/components/ui/hover-note.tsx';
import { cx } from '#app/lib/cx.ts';
import { type ClockState, describeClock } from '#app/lib/describe-clock.ts';
import { exactTime } from '#app/lib/describe-time.ts';
import type { ClockView } from '#server/conversations/views.ts';

const tones: Record<ClockState, string> = {
  running: 'text-ink-soft',
  soon: 'font-medium text-note-ink',
  overdue: 'font-medium text-danger-ink',
  paused: 'text-ink-soft',
  met: 'text-ink-soft',
  missed: 'text-danger-ink',
};

/** How a time limit stands, kept up to date as time passes; when it is due, on hover. */
export function SlaClock({ clock }: { clock: ClockView }) {
  const { now, timeZone } = useMoment();
  const { state, words } = describeClock(clock, now, timeZone);
  const Icon = state === 'overdue' || state === 'missed' ? TimerOff : Timer;
  return (
    <HoverNote note={`Due ${exactTime(clock.dueAt, timeZone)}`}>
      <span className={cx('inline-flex shrink-0 items-center gap-1 whitespace-nowrap', tones[state])}>
        <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
        <span className="tabular">{words}</span>
      </span>
    </HoverNote>
  );
}
