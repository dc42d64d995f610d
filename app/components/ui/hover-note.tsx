'use client';

import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** What is shown on hover beside something short. */
export function HoverNote({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 animate-fade rounded-md bg-ink px-2 py-1 text-canvas text-xs"
        >
          {note}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
