import { useLayoutEffect, useRef } from 'react';

/**
 * Returns a close handler for an overlay without a trigger: it moves the focus back to the element that was focused before.
 * Undefined with a trigger, to which Radix returns the focus.
 */
export function useReturnFocus(open: boolean, hasTrigger: boolean): ((event: Event) => void) | undefined {
  const before = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // The overlay moves the focus later, in an effect.
    const focused = document.activeElement;
    if (!open || hasTrigger || !(focused instanceof HTMLElement)) return;
    // A menu closes when one of its items opens the overlay, so the focus returns to the menu's button.
    const menuButtonId = focused.closest('[role=menu]')?.getAttribute('aria-labelledby');
    before.current = document.getElementById(menuButtonId ?? '') ?? focused;
  }, [open, hasTrigger]);
  if (hasTrigger) return undefined;
  return (event) => {
    event.preventDefault();
    before.current?.focus();
  };
}
