'use client';

import { CalendarClock } from 'lucide-react';
import { SEND_TIME } from '#app/components/composer/send-time.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { Popover } from '#app/components/ui/popover.tsx';

const rareParts = lazyParts(() => import('#app/components/composer/rare-parts.ts'));
const TimeChoice = rareParts('TimeChoice');

type Props = {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  disabled: boolean;
  onChoose: (at: Date) => void;
};

/** Button whose panel sends a reply at a chosen time. */
export function SendLater({ control, disabled, onChoose }: Props) {
  return (
    <Popover
      control={control}
      trigger={
        <IconButton
          icon={CalendarClock}
          label="Send later"
          disabled={disabled}
          aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
          data-tip="Send later (Ctrl or Cmd + Shift + Enter)"
        />
      }
      aria-label="Send later"
      side="top"
      align="end"
      className="z-30 w-72 p-3"
    >
      <TimeChoice {...SEND_TIME} onChoose={onChoose} />
    </Popover>
  );
}
