/**
 * Shows another view of the inbox at once: the address changes, which `useInboxView` follows, and the page itself is not asked
 * for again. Only on the inbox; elsewhere a link leads there.
 * @param how `replace`: the way back skips what was shown before
 */
export function showInbox(path: string, how: 'push' | 'replace' = 'push'): void {
  const { history, location } = window;
  if (how === 'push') {
    if (isFollowed()) history.pushState(null, '', path);
    else location.assign(path);
  } else if (isFollowed()) history.replaceState(null, '', path);
  else location.replace(path);
}

/**
 * Next follows addresses once it has put functions of its own in the place of the browser's, in an effect: on a busy machine a
 * row may answer a click before. Then the page is loaded as any link does it.
 */
function isFollowed(): boolean {
  return Object.hasOwn(window.history, 'pushState');
}
