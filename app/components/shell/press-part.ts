import { isShown } from '#app/components/shell/walk-list.ts';

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
