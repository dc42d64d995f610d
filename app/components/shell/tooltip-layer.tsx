'use client';

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Keys } from '#app/components/shell/keys.tsx';
import { keysOf } from '#app/components/shell/shortcut-list.ts';
import { areShortcutsOn } from '#app/components/shell/shortcuts-switch.ts';
import { watchTooltips } from '#app/components/shell/watch-tooltips.ts';

/** Distance from the button and from the edges of the window, in px. */
const GAP = 6;

/**
 * Shows the name and the shortcut of the icon button that the pointer rests on, that has keyboard focus, or that is held
 * down on a touch screen. One layer for all buttons. Hidden from screen readers, which read the button's own name.
 */
export function TooltipLayer() {
  const [button, setButton] = useState<HTMLElement | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => watchTooltips(setButton, () => tip.current), []);
  useLayoutEffect(() => {
    if (!button || !tip.current) return;
    const at = button.getBoundingClientRect();
    const { width, height } = tip.current.getBoundingClientRect();
    const below = at.bottom + GAP;
    const top = below + height > window.innerHeight ? at.top - GAP - height : below;
    const left = Math.max(GAP, Math.min(at.left + (at.width - width) / 2, window.innerWidth - width - GAP));
    Object.assign(tip.current.style, { top: `${top}px`, left: `${left}px` });
  }, [button]);
  if (!button) return null;
  const keys = areShortcutsOn() ? keysOf(button.dataset.shortcut) : [];
  return createPortal(
    <div
      ref={tip}
      aria-hidden
      data-tooltip
      className="pointer-events-auto fixed z-60 flex max-w-72 items-center gap-2 rounded-md border bg-surface px-2 py-1 text-ink text-xs shadow-black/5 shadow-lg"
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">{button.dataset.tip ?? button.ariaLabel}</span>
      <span className="flex shrink-0 items-center gap-1 empty:hidden pointer-coarse:hidden">
        <Keys keys={keys} />
      </span>
    </div>,
    document.body,
  );
}
