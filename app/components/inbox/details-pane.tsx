'use client';

import { PanelRight } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { IconButton } from '#app/components/ui/icon-button.tsx';
import { ScrollPane } from '#app/components/ui/scroll-pane.tsx';
import { useMatchMedia } from '#app/components/ui/use-match-media.ts';
import { cx } from '#app/lib/cx.ts';

const PANE_ID = 'conversation-details';

type Details = { open: boolean; settled: boolean; toggle: () => void };

const DetailsContext = createContext<Details>({ open: true, settled: false, toggle: () => {} });

/**
 * Remembers, from one conversation to the next, whether the details are folded away. Until somebody folds them,
 * they are open where there is room for three panes.
 */
export function DetailsMemory({ children }: { children: ReactNode }) {
  const roomy = useMatchMedia('(min-width: 75rem)');
  const [choice, setChoice] = useState<boolean | null>(null);
  const open = choice ?? roomy;
  return (
    <DetailsContext value={{ open, settled: choice !== null, toggle: () => setChoice(!open) }}>
      {children}
    </DetailsContext>
  );
}

/** Folds the details in and out. */
export function DetailsToggle() {
  const { open, toggle } = useContext(DetailsContext);
  return (
    <IconButton
      icon={PanelRight}
      label="Details"
      aria-expanded={open}
      aria-controls={PANE_ID}
      onClick={toggle}
    />
  );
}

/** The details at the right; where there is little room they lie over the conversation. */
export function DetailsPane({ children }: { children: ReactNode }) {
  const { open, settled } = useContext(DetailsContext);
  return (
    <ScrollPane
      id={PANE_ID}
      aria-label="Details"
      className={cx(
        'w-66 shrink-0 border-l bg-surface max-[75rem]:absolute max-[75rem]:top-14 max-[75rem]:right-0 max-[75rem]:bottom-0 max-md:w-full',
        settled ? !open && 'hidden' : 'max-[75rem]:hidden',
      )}
    >
      {children}
    </ScrollPane>
  );
}
