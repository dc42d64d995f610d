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

/** `help`: the list of shortcuts. `menu`: the command menu. */
export type ShortcutOverlay = 'help' | 'menu';

/** Name of the window event that opens an overlay. */
const SHOW = 'show-shortcut-overlay';

/** Opens the list of shortcuts or the command menu. */
export function showOverlay(overlay: ShortcutOverlay): void {
  window.dispatchEvent(new CustomEvent(SHOW, { detail: overlay }));
}

/** Calls `show` when an overlay is to be opened. Returns the unsubscribe function. */
export function onShow(show: (overlay: ShortcutOverlay) => void): () => void {
  const listen = (event: Event) => show((event as CustomEvent<ShortcutOverlay>).detail);
  window.addEventListener(SHOW, listen);
  return () => window.removeEventListener(SHOW, listen);
}
