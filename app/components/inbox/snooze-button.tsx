'use client';

import { Clock } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import { exactTime, formatSince } from '#app/lib/format-time.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

const conversationParts = lazyParts(() => import('#app/components/inbox/conversation-parts.ts'));
const SnoozeForm = conversationParts('SnoozeForm');

type Props = {
  id: string;
  snoozedUntil: Date | null;
  afterSolving: AfterSolving;
};

/** Button whose panel snoozes the conversation or cancels its snooze. */
export function SnoozeButton(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<IconButton icon={Clock} label="Snooze" word="Snooze" data-shortcut="snooze" />}
      aria-label="Snooze"
      align="end"
      className="z-30 w-72 p-3"
    >
      <SnoozeForm {...props} onDone={() => setOpen(false)} />
    </Popover>
  );
}

/** The time at which a snoozed conversation returns. */
export function SnoozedUntil({ at }: { at: Date }) {
  const { now, timeZone } = useNow();
  return (
    <span
      title={exactTime(at, timeZone)}
      className="inline-flex shrink-0 items-center gap-1 whitespace-nowrap"
    >
      <Clock aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span className="tabular">Snoozed until {formatSince(at, now, timeZone)}</span>
    </span>
  );
}
