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
