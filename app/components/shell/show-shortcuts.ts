/** The name of the event on the window that shows the list of shortcuts. */
export const SHOW_SHORTCUTS = 'show-shortcuts';

/** Shows the list of shortcuts, wherever on the page it is asked for. */
export function showShortcuts(): void {
  window.dispatchEvent(new Event(SHOW_SHORTCUTS));
}
