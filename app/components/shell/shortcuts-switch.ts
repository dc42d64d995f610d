const KEY = 'keyboard-shortcuts';

/**
 * Whether single letters act, in this browser. People who speak to the computer, or press keys by accident, switch
 * them off (WCAG 2.2, 2.1.4).
 */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Switches them on or off; for this page only where nothing can be kept. */
export function switchShortcuts(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // A browser that keeps nothing has them on.
  }
}

/** The name of the event on the window that shows the list of shortcuts. */
export const SHOW_SHORTCUTS = 'show-shortcuts';

/** Shows the list of shortcuts, wherever on the page it is asked for. */
export function showShortcuts(): void {
  window.dispatchEvent(new Event(SHOW_SHORTCUTS));
}
