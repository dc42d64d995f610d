'use client';

import { useSyncExternalStore } from 'react';

/** Returns whether a media query matches. Returns true during server rendering. */
export function useMatchMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => true,
  );
}
