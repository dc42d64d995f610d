'use client';

import { useSyncExternalStore } from 'react';

/** Whether a media query holds, kept up to date; while the server renders it is taken to hold. */
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
