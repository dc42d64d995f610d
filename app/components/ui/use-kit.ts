'use client';

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { toast } from '#app/components/ui/toast.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';
import { notReached } from '#app/lib/outcome.ts';

/** What draws dialogs, menus and small panels. */
type Kit = typeof import('#app/components/ui/kit.ts').kit;

let loaded: Kit | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Loads what draws overlays, once; one that did not come is asked for again. No page needs it before something opens. */
function loadKit(): Promise<void> {
  loading ??= import('#app/components/ui/kit.ts').then(
    ({ kit }) => {
      loaded = kit;
      for (const changed of listeners) changed();
    },
    (fault) => {
      loading = null;
      throw fault;
    },
  );
  return loading;
}

/** The same ahead of time, where nobody waits for it: on a button that may open something. */
export const kitAhead = {
  onPointerEnter: () => void loadKit().catch(() => {}),
  onFocus: () => void loadKit().catch(() => {}),
};

/**
 * What draws overlays, or null until it is there. What is open meanwhile shows once it is; if it does not come, that is said
 * and `close` is called.
 */
export function useKit(isOpen: boolean, close: () => void): Kit | null {
  const kit = useSyncExternalStore(subscribe, readKit, () => null);
  const giveUp = useEffectEvent(() => {
    close();
    toast.error('Not opened', { description: notReached().problem });
  });
  const isWanted = isOpen && kit === null;
  useEffect(() => {
    if (isWanted) loadKit().catch(() => giveUp());
  }, [isWanted]);
  return kit;
}

/**
 * The same, and null until the overlay was opened: one that never opens costs nothing. Not for a menu, which must have seen the
 * key that opens it to put the focus on its first item.
 */
export function useKitOnceOpen(isOpen: boolean, close: () => void): Kit | null {
  const kit = useKit(isOpen, close);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? kit : null;
}

/** The same for a part of something that is open. */
export function loadedKit(): Kit {
  if (!loaded) throw new Error('A part of an overlay is drawn below it.');
  return loaded;
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function readKit(): Kit | null {
  return loaded;
}

/** Loads what draws overlays once the page is idle, so that the first one opens at once. Shows nothing. */
export function WarmOverlays() {
  useEffect(() => whenIdle(() => void loadKit().catch(() => {})), []);
  return null;
}
