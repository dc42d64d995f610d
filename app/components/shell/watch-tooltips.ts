/** Buttons whose name is not visible. `data-tip`: their tooltip, if it is not their accessible name. */
const NAMED = '.icon-button[aria-label], [data-tip]';
/** Delays in ms: before the pointer or focus shows a tooltip, before a held finger does, and before it hides. */
const REST_MS = 400;
const HOLD_MS = 500;
const LEAVE_MS = 120;

/**
 * Calls `show` with the button whose tooltip is to be shown, or null. Esc, a press and scrolling hide it. The tooltip
 * stays while the pointer is on it (WCAG 2.2, 1.4.13). Returns the unsubscribe function.
 */
export function watchTooltips(
  show: (button: HTMLElement | null) => void,
  shownTip: () => Element | null,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHeld = false;
  const after = (ms: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  const showAfter = (ms: number, button: HTMLElement) =>
    after(ms, () => {
      if (button.isConnected && button.ariaExpanded !== 'true') show(button);
    });
  const hide = () => {
    clearTimeout(timer);
    show(null);
  };
  const stop = new AbortController();
  const on = <Name extends keyof DocumentEventMap>(
    name: Name,
    listen: (event: DocumentEventMap[Name]) => void,
  ) =>
    document.addEventListener(name, listen, {
      capture: true,
      passive: name !== 'click',
      signal: stop.signal,
    });

  on('pointerover', ({ target, pointerType }) => {
    if (pointerType === 'touch') return;
    const button = buttonAt(target);
    if (button) showAfter(REST_MS, button);
    else if (target instanceof Node && shownTip()?.contains(target)) clearTimeout(timer);
    else after(LEAVE_MS, hide);
  });
  on('pointerout', ({ relatedTarget }) => {
    if (relatedTarget === null) after(LEAVE_MS, hide);
  });
  on('focusin', ({ target }) => {
    const button = buttonAt(target);
    if (button && target instanceof Element && target.matches(':focus-visible')) showAfter(REST_MS, button);
    else hide();
  });
  on('focusout', () => hide());
  on('pointerdown', ({ target, pointerType }) => {
    hide();
    isHeld = false;
    const button = buttonAt(target);
    if (!button || pointerType !== 'touch') return;
    after(HOLD_MS, () => {
      isHeld = true;
      show(button);
    });
  });
  on('pointerup', ({ pointerType }) => {
    if (pointerType === 'touch' && !isHeld) clearTimeout(timer);
  });
  on('pointercancel', hide);
  on('scroll', hide);
  on('keydown', () => {
    isHeld = false;
    hide();
  });
  // A long press shows the name of a button and does not press it.
  on('click', (event) => {
    if (isHeld) {
      event.preventDefault();
      event.stopPropagation();
    }
    isHeld = false;
  });
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

function buttonAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(NAMED) : null;
}
