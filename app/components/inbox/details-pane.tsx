'use client';

import { PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { details, WIDE } from '#app/components/inbox/details-store.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { Sheet } from '#app/components/ui/sheet.tsx';
import { useAfterPaint } from '#app/components/ui/use-after-paint.ts';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';
import { cx } from '#app/lib/cx.ts';

const PANE_ID = 'conversation-details';

/**
 * Returns how the details are shown at this width. On wide screens they are open by default, elsewhere they are a sheet. Each component calls this hook itself, because a part that
 * hydrates late must first match the server's markup.
 */
function useDetails(): { isWide: boolean; open: boolean; setOpen: (open: boolean) => void } {
  const isWide = useMatchMedia(WIDE);
  const { isUnfolded, isSheetOpen } = useStore(details);
  return isWide
    ? { isWide, open: isUnfolded, setOpen: (open) => details.setState({ isUnfolded: open }) }
    : { isWide, open: isSheetOpen, setOpen: (open) => details.setState({ isSheetOpen: open }) };
}

/** Opens or closes the details. */
export function DetailsToggle() {
  const { open, setOpen } = useDetails();
  return (
    <IconButton
      icon={PanelRight}
      label="Details"
      data-shortcut="details"
      aria-expanded={open}
      aria-controls={PANE_ID}
      onClick={() => setOpen(!open)}
    />
  );
}

/**
 * The details: a column on wide screens, otherwise a sheet. The column keeps its width while its content renders
 * after the thread.
 */
export function DetailsPane({ children }: { children: ReactNode }) {
  const { isWide, open, setOpen } = useDetails();
  const isDrawn = useAfterPaint();
  if (isWide) {
    return (
      <ScrollArea
        id={PANE_ID}
        aria-label="Details"
        className={cx('w-66 shrink-0 border-l bg-surface max-[87.5rem]:hidden', !open && 'hidden')}
      >
        {isDrawn ? children : null}
      </ScrollArea>
    );
  }
  return (
    <Sheet
      control={{ open, onOpenChange: setOpen }}
      side="right"
      title="Details"
      id={PANE_ID}
      className="w-80"
      // Escape first closes the suggestions of a combobox, or restores a value that is being edited.
      onEscapeKeyDown={(event) => {
        if (document.activeElement?.matches('[role="combobox"], [data-edited]')) event.preventDefault();
      }}
    >
      {children}
    </Sheet>
  );
}
