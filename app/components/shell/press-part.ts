/**
 * Presses the part of the page that carries `data-shortcut="<target>"`, or focuses it when it is a field. One that is
 * folded away within another part has that one opened first. The way back works also where it is not drawn, as there
 * is room for list and conversation. Answers whether there was such a part.
 */
export function pressPart({ target, within }: { target: string; within?: string }): boolean {
  const part = findPart(target);
  if (part && (isShown(part) || target === 'back')) {
    press(part);
    return true;
  }
  const opener = within === undefined ? undefined : findPart(within);
  if (!opener || !isShown(opener)) return false;
  opener.click();
  // Drawn by then.
  setTimeout(() => {
    const opened = findPart(target);
    if (opened && isShown(opened)) press(opened);
  }, OPENING_MS);
  return true;
}

/** How long what is folded away takes to be drawn. */
const OPENING_MS = 150;

function findPart(name: string): HTMLElement | undefined {
  const parts = [...document.querySelectorAll<HTMLElement>(`[data-shortcut="${name}"]`)];
  return parts.find(isShown) ?? parts[0];
}

function press(part: HTMLElement): void {
  if (part.matches('input, textarea, select')) part.focus();
  else part.click();
}

/**
 * Moves the focus to the next or the previous conversation of the list; from nowhere to the one that is open, or else
 * to the first. Answers whether there was one.
 */
export function walkList(by: 1 | -1): boolean {
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

/** Whether it is drawn at all: on a narrow screen the list is hidden behind an open conversation. */
function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}
