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
export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}
