'use client';

import { PanelRight, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { IconButton } from '#app/components/ui/icon-button.tsx';
import { ScrollArea } from '#app/components/ui/layout/scroll-area.tsx';
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

/** The details at the right, or where there is little room in a sheet above the conversation. */
export function DetailsPane({ children }: { children: ReactNode }) {
  const { roomy, open, setOpen } = useDetails();
  if (roomy) {
    return (
      <ScrollArea
        id={PANE_ID}
        aria-label="Details"
        className={cx('w-66 shrink-0 border-l bg-surface max-[75rem]:hidden', !open && 'hidden')}
      >
        {children}
      </ScrollArea>
    );
  }
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-shade" />
        <Dialog.Content
          id={PANE_ID}
          aria-describedby={undefined}
          // Suggestions below a field are put away first.
          onEscapeKeyDown={(event) => {
            if (document.activeElement?.getAttribute('role') === 'combobox') event.preventDefault();
          }}
          className="fixed inset-y-0 right-0 z-40 flex w-80 max-w-full animate-fade flex-col border-l bg-surface max-md:w-full max-md:border-0"
        >
          <div className="flex h-14 shrink-0 items-center justify-between border-b pr-2 pl-4">
            <Dialog.Title className="font-semibold text-base">Details</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close details" />
            </Dialog.Close>
          </div>
          <div className="scroll-pane min-h-0 grow">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
