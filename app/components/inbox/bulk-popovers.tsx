'use client';

import { Clock, Tag } from 'lucide-react';
import { useState } from 'react';
import { NewTag } from '#app/components/inbox/new-tag.tsx';
import type { ChangeSelected } from '#app/components/inbox/run-bulk.ts';
import { SnoozeTimes } from '#app/components/inbox/snooze-times.tsx';
import { IconButton } from '#app/components/ui/button.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import { exactTime } from '#app/lib/format-time.ts';

type Props = { onChange: ChangeSelected };

/** Button whose panel snoozes the selected conversations. */
export function SnoozeSelected({ onChange }: Props) {
  const [open, setOpen] = useState(false);
  const { timeZone } = useNow();
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<IconButton icon={Clock} label="Snooze selected" data-shortcut="snooze" />}
      aria-label="Snooze selected"
      side="top"
      className="z-30 w-72 p-3"
    >
      <SnoozeTimes
        onChoose={(until) => {
          setOpen(false);
          onChange({ kind: 'snooze', until }, `snoozed until ${exactTime(until, timeZone)}`);
        }}
      />
    </Popover>
  );
}

/** Button whose panel adds tags to the selected conversations. */
export function TagSelected({ onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<IconButton icon={Tag} label="Tag selected" data-shortcut="tag" />}
      aria-label="Tag selected"
      side="top"
      className="z-30 w-72 p-3"
    >
      <NewTag
        present={[]}
        onAdd={async (tags) => {
          setOpen(false);
          onChange({ kind: 'tags', tags }, `tagged ${tags.join(', ')}`);
          return null;
        }}
        onClose={() => setOpen(false)}
      />
    </Popover>
  );
}
