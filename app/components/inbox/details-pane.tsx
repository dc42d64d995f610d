'use client';

import { PanelRight } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { Sheet } from '#app/components/ui/sheet.tsx';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';
import { cx } from '#app/lib/cx.ts';

const PANE_ID = 'conversation-details';

type Memory = {
  unfolded: boolean;
  setUnfolded: (unfolded: boolean) => void;
  sheetOpen: boolean;
  setSheetOpen: (open: boolean) => void;
};

const MemoryContext = createContext<Memory>({
  unfolded: true,
  setUnfolded: () => {},
  sheetOpen: false,
  setSheetOpen: () => {},
});

/**
 * Remembers, from one conversation to the next, whether the details are folded away. Where there is room for three
 * panes they are open until somebody folds them; elsewhere they are a sheet that is opened when it is needed.
 */
export function DetailsMemory({ children }: { children: ReactNode }) {
  const [unfolded, setUnfolded] = useState(true);
  const [sheetOpen, setSheetOpen] = useState(false);
  return <MemoryContext value={{ unfolded, setUnfolded, sheetOpen, setSheetOpen }}>{children}</MemoryContext>;
}

/**
 * How the details are shown here. The width is asked for in each part that needs it and not above them: a part of the
 * page that arrives late must begin as the server made it.
 */
function useDetails(): { roomy: boolean; open: boolean; setOpen: (open: boolean) => void } {
  const roomy = useMatchMedia('(min-width: 75rem)');
  const { unfolded, setUnfolded, sheetOpen, setSheetOpen } = useContext(MemoryContext);
  return roomy
    ? { roomy, open: unfolded, setOpen: setUnfolded }
    : { roomy, open: sheetOpen, setOpen: setSheetOpen };
}

/** Folds the details in and out. */
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
 * The details at the right, or where there is little room in a sheet above the conversation. At the right they are drawn a moment
 * after the thread, which is what one came for; their place is theirs already.
 */
export function DetailsPane({ children }: { children: ReactNode }) {
  const { roomy, open, setOpen } = useDetails();
  const isDrawn = useAfterPaint();
  if (roomy) {
    return (
      <ScrollArea
        id={PANE_ID}
        aria-label="Details"
        className={cx('w-66 shrink-0 border-l bg-surface max-[75rem]:hidden', !open && 'hidden')}
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
      // Suggestions below a field are put away first.
      onEscapeKeyDown={(event) => {
        if (document.activeElement?.getAttribute('role') === 'combobox') event.preventDefault();
      }}
    >
      {children}
    </Sheet>
  );
}

/**
 * Whether what a part of the page holds besides what one came for is to be drawn: at once where the server has rendered it, and
 * elsewhere once the rest is painted.
 */
function useAfterPaint(): boolean {
  const isServed = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const [isDrawn, setIsDrawn] = useState(isServed);
  useEffect(() => {
    if (isDrawn) return;
    // The first frame holds what was drawn before this; when the second one begins, it is painted.
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => setIsDrawn(true));
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isDrawn]);
  return isDrawn;
}

function neverChanges(): () => void {
  return () => {};
}
