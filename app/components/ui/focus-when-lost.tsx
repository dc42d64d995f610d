'use client';

import { useEffect, useRef } from 'react';

/** News of a change can come before its own answer closes the dialog that asked for it: so long it is waited for. */
const WAIT_MS = 10_000;

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
    if (moveOn(goTo)) return;
    const dialogs = new MutationObserver(() => moveOn(goTo) && dialogs.disconnect());
    dialogs.observe(document.body, { childList: true });
    const timer = setTimeout(() => dialogs.disconnect(), WAIT_MS);
    return () => {
      clearTimeout(timer);
      dialogs.disconnect();
    };
  }, [on, goTo]);
  return null;
}

/** Whether the keyboard was at nothing any more, and now is where it goes on. */
function moveOn(goTo: string): boolean {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return false;
  document.getElementById(goTo)?.focus();
  return true;
}
