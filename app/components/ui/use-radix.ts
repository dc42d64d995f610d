'use client';

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { loadOnceIdle } from '#app/components/ui/lazy-part.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';

type Radix = typeof import('#app/components/ui/radix.ts').radix;

let loaded: Radix | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Loads the Radix parts once. A failed load is retried at the next call. Pages load without them. */
function loadRadix(): Promise<void> {
  loading ??= import('#app/components/ui/radix.ts').then(
    ({ radix }) => {
      loaded = radix;
      for (const changed of listeners) changed();
    },
    (fault) => {
      loading = null;
      throw fault;
    },
  );
  return loading;
}

loadOnceIdle(loadRadix);

/** Event handlers that preload the parts on buttons that may open an overlay. */
export const preloadHandlers = {
  onPointerEnter: () => void loadRadix().catch(() => {}),
  onFocus: () => void loadRadix().catch(() => {}),
};

/**
 * Returns the Radix parts, or null until they are loaded. An overlay opened before that appears after loading. If
 * loading fails, shows an error and calls `close`.
 */
export function useRadix(isOpen: boolean, close: () => void): Radix | null {
  const radix = useSyncExternalStore(subscribe, readRadix, () => null);
  const onLoadFailed = useEffectEvent(() => {
    close();
    toast.error('Could not open', { description: notReached().problem });
  });
  const isMissing = isOpen && radix === null;
  useEffect(() => {
    if (isMissing) loadRadix().catch(() => onLoadFailed());
  }, [isMissing]);
  return radix;
}

/**
 * Like `useRadix`, but null until the overlay was first opened, so that unopened overlays cost nothing. Not for menus,
 * which must receive the opening key event to focus their first item.
 */
export function useRadixOnceOpen(isOpen: boolean, close: () => void): Radix | null {
  const radix = useRadix(isOpen, close);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? radix : null;
}

/** Returns the loaded parts, for components inside an open overlay. */
export function loadedRadix(): Radix {
  if (!loaded) throw new Error('Overlay components require an open overlay.');
  return loaded;
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function readRadix(): Radix | null {
  return loaded;
}
