'use client';

import { Clock, type LucideIcon, Tag } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { BulkButton } from '#app/components/inbox/bulk-button.tsx';
import { NewTag } from '#app/components/inbox/new-tag.tsx';
import type { ChangeSelected } from '#app/components/inbox/run-bulk.ts';
import { SNOOZE_TIME } from '#app/components/inbox/snooze-form.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import { TimeChoice } from '#app/components/ui/time-choice.tsx';
import { exactTime } from '#app/lib/format-time.ts';

type Props = { onChange: ChangeSelected };

/** Button whose panel snoozes the selected conversations. */
export function SnoozeSelected({ onChange }: Props) {
  const { timeZone } = useNow();
  return (
    <BulkPopover icon={Clock} label="Snooze selected" word="Snooze" shortcut="snooze">
      {(close) => (
        <TimeChoice
          {...SNOOZE_TIME}
          onChoose={(until) => {
            close();
            onChange({ kind: 'snooze', until }, `snoozed until ${exactTime(until, timeZone)}`);
          }}
        />
      )}
    </BulkPopover>
  );
}

/** Button whose panel adds tags to the selected conversations. */
export function TagSelected({ onChange }: Props) {
  return (
    <BulkPopover icon={Tag} label="Tag selected" word="Tag" shortcut="tag">
      {(close) => (
        <NewTag
          present={[]}
          onAdd={(tags) => {
            close();
            onChange({ kind: 'tags', tags }, `tagged ${tags.join(', ')}`);
          }}
          onClose={close}
        />
      )}
    </BulkPopover>
  );
}

type PopoverProps = {
  icon: LucideIcon;
  label: string;
  word: string;
  shortcut: string;
  children: (close: () => void) => ReactNode;
};

function BulkPopover({ icon, label, word, shortcut, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={<BulkButton icon={icon} label={label} word={word} data-shortcut={shortcut} />}
      aria-label={label}
      side="top"
      className="z-30 w-72 p-3"
    >
      {children(() => setOpen(false))}
    </Popover>
  );
}
