const KEY = 'keyboard-shortcuts';

/**
 * Returns whether single-key shortcuts are on in this browser. Users of speech input turn them off (WCAG 2.2, 2.1.4).
 */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Turns shortcuts on or off. Without storage the setting is not saved. */
export function switchShortcuts(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Storage is unavailable: shortcuts stay on.
  }
}

/** Name of the window event that opens the shortcuts dialog. */
export const SHOW_SHORTCUTS = 'show-shortcuts';

/** Opens the shortcuts dialog. */
export function showShortcuts(): void {
  window.dispatchEvent(new Event(SHOW_SHORTCUTS));
}
