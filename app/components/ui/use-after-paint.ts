'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';

/**
 * Returns whether to render secondary content: immediately if the server rendered it, otherwise after the first
 * paint.
 */
export function useAfterPaint(): boolean {
  const isServed = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const [isDrawn, setIsDrawn] = useState(isServed);
  useEffect(() => {
    if (isDrawn) return;
    // The first frame contains the earlier render. Once the second frame starts, it is painted.
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
