'use client';

import { useRef, useState, useTransition } from 'react';

/**
 * `useTransition` for work that is pending until it is done itself. React's own is pending until all other transitions under
 * way have ended too, such as a refresh by live news: what is pressed meanwhile would be dropped. No work begins while the one
 * before is under way. What it throws, the page of errors shows.
 */
export function useOwnTransition(): [pending: boolean, start: (work: () => Promise<unknown>) => void] {
  const [, startTransition] = useTransition();
  const [pending, setPending] = useState(false);
  // Known at once, also to a second press before the first one is drawn.
  const isUnderWay = useRef(false);
  const start = (work: () => Promise<unknown>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPending(true);
    startTransition(async () => {
      try {
        await work();
      } finally {
        isUnderWay.current = false;
        setPending(false);
      }
    });
  };
  return [pending, start];
}
