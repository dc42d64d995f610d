/**
 * Shows another view of the inbox at once: the address changes, which `useInboxView` follows, and the page itself is not asked
 * for again. Only on the inbox; elsewhere a link leads there.
 * @param how `replace`: the way back skips what was shown before
 */
export function showInbox(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') window.history.pushState(null, '', path);
  else window.history.replaceState(null, '', path);
}
