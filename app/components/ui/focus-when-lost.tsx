'use client';

import { useEffect, useRef } from 'react';

/**
 * Moves the keyboard on when what it was at has gone with a change: a removed line, a button that did its work.
 * @param on what changes then
 * @param goTo the id of the element to go on from, which can be focused
 */
export function FocusWhenLost({ on, goTo }: { on: string | number; goTo: string }) {
  const before = useRef(on);
  useEffect(() => {
    if (before.current === on) return;
    before.current = on;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) document.getElementById(goTo)?.focus();
  }, [on, goTo]);
  return null;
}
