const listeners = new Set<() => void>();

/**
 * Shows another view of the inbox immediately: changes the URL, which `useInboxView` follows, without a page request.
 * Works on the inbox only.
 * @param how `replace` makes the back button skip the previous view
 */
export function showInbox(path: string, how: 'push' | 'replace' = 'push'): void {
  const { history, location } = window;
  if (how === 'push') {
    if (isPatched()) history.pushState(null, '', path);
    else location.assign(path);
  } else if (isPatched()) history.replaceState(null, '', path);
  else location.replace(path);
  for (const listener of listeners) listener();
}

/** Calls `listener` when the URL changes without a page request. Returns the unsubscribe function. */
export function onInboxShown(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

/**
 * Returns whether Next.js has patched `history`, which it does in an effect. Before that, a click needs a full page
 * load.
 */
function isPatched(): boolean {
  return Object.hasOwn(window.history, 'pushState');
}
