'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';

/**
 * Whether what a part of the page holds besides what one came for is to be drawn: at once where the server has rendered it, and
 * elsewhere once the rest is painted.
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
