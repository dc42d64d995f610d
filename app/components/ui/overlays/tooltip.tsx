'use client';

import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** What is shown on hover beside something short. */
export function Tooltip({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 animate-fade rounded-md bg-ink px-2 py-1 text-canvas text-xs"
        >
          {note}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
