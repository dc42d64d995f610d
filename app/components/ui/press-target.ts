/**
 * Clicks the element whose `data-shortcut` names the target, or focuses a field. Clicks `back` even while
 * hidden, on wide screens. Returns whether the target exists.
 * @param last of several targets, presses the last one
 */
export function pressTarget({ target, last }: { target: string; last?: boolean }): boolean {
  const part = findTarget(target, last);
  if (!part || !(isShown(part) || target === 'back')) return false;
  press(part);
  return true;
}

/** Presses Undo in the newest toast that has it. Returns whether there is one. */
export function pressUndo(): boolean {
  // Newest first. A toast that closes is not pressed again.
  const toasts = document.querySelectorAll('[data-sonner-toast]:not([data-removed="true"])');
  for (const toast of toasts) {
    const button = toast.querySelector<HTMLElement>('[data-action]');
    if (button?.textContent !== 'Undo') continue;
    button.click();
    return true;
  }
  return false;
}

/** Returns the first shown element with a name, or the last one. Hidden elements come last. */
function findTarget(name: string, last?: boolean): HTMLElement | undefined {
  const parts = [...document.querySelectorAll<HTMLElement>(`[data-shortcut~="${name}"]`)];
  return (last ? parts.findLast(isShown) : parts.find(isShown)) ?? parts[0];
}

/** An element that a shortcut presses. */
type Target = { element: HTMLElement; isShown: boolean };

/** Returns all targets of the page by their names, those that `findTarget` returns. One query instead of one per name. */
export function readTargets(): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const element of document.querySelectorAll<HTMLElement>('[data-shortcut]')) {
    for (const name of element.dataset.shortcut?.split(' ') ?? []) {
      const known = targets.get(name);
      if (known?.isShown) continue;
      const target = { element, isShown: isShown(element) };
      if (!known || target.isShown) targets.set(name, target);
    }
  }
  return targets;
}

function press(part: HTMLElement): void {
  if (part.matches('input:not([type="checkbox"]), textarea, select')) part.focus();
  // A menu opened by a key focuses its first item.
  else if (part.ariaHasPopup === 'menu')
    part.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  else part.click();
}

/**
 * Moves the focus to the next or previous row. Starts from the open conversation, or else at the first row. Returns
 * whether there is such a row.
 */
export function focusNextRow(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-conversation]')].filter(isShown);
  const focused = rows.findIndex((row) => row.matches(':focus'));
  const open = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const from = focused >= 0 ? focused : open;
  const next = from < 0 ? rows[0] : rows[from + by];
  if (!next) return false;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Returns whether the element is visible. On narrow screens an open conversation hides the list. */
function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}
