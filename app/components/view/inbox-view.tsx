'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { type InboxView, inboxPath, parseInboxView } from '#app/lib/inbox-path.ts';
import type { ListView } from '#app/lib/served-inbox.ts';

const ViewContext = createContext<InboxView>(parseInboxView({}));
const ListContext = createContext<ListView>({ ...parseInboxView({}), selected: undefined });

/**
 * Provides the view that the URL describes. Next.js also reports each new URL, in a later transition. The view is the
 * same object then, so that nothing renders twice.
 */
export function InboxViewProvider({ children }: { children: ReactNode }) {
  const query = useQueryString();
  const view = useMemo(() => viewOf(query), [query]);
  const params = new URLSearchParams(query);
  params.delete('selected');
  const listQuery = params.toString();
  const list = useMemo(() => ({ ...viewOf(listQuery), selected: undefined }), [listQuery]);
  return (
    <ViewContext value={view}>
      <ListContext value={list}>{children}</ListContext>
    </ViewContext>
  );
}

function viewOf(query: string): InboxView {
  return parseInboxView(Object.fromEntries(new URLSearchParams(query)));
}

/** Returns the view that the URL describes. */
export function useInboxView(): InboxView {
  return useContext(ViewContext);
}

/** Returns the view that the URL describes, without the open conversation: another one renders nothing again. */
export function useListView(): ListView {
  return useContext(ListContext);
}

/**
 * Returns the query string of the page on screen. Reads the URL itself: Next.js updates `useSearchParams` in a
 * transition, which React renders late and, during a server action, not before the response. After a step back, the URL
 * can already be that of another page.
 */
function useQueryString(): string {
  const served = useSearchParams().toString();
  const page = usePathname();
  return useSyncExternalStore(
    onInboxShown,
    () => {
      const { pathname, search } = window.location;
      return pathname === page ? new URLSearchParams(search).toString() : served;
    },
    () => served,
  );
}

/** Event of the window after the URL has changed without a page request. */
const SHOWN = 'inbox-shown';

/** Calls `listener` when the URL changes without a page request. Returns the unsubscribe function. */
function onInboxShown(listener: () => void): () => void {
  for (const event of [SHOWN, 'popstate']) window.addEventListener(event, listener);
  return () => {
    for (const event of [SHOWN, 'popstate']) window.removeEventListener(event, listener);
  };
}

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
  window.dispatchEvent(new Event(SHOWN));
}

/**
 * Returns whether Next.js has patched `history`, which it does in an effect. Before that, a click needs a full page
 * load.
 */
function isPatched(): boolean {
  return Object.hasOwn(window.history, 'pushState');
}

type LinkProps = ComponentProps<'a'> & {
  href: string;
  /** Returns the view to show, by default that of `href`. */
  pathNow?: () => string;
};

/** Link to another view of the inbox, shown without a page request. Without scripts or in a new tab, a plain link. */
export function InboxLink({ href, pathNow = () => href, onClick, ...props }: LinkProps) {
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !opensHere(event)) return;
        event.preventDefault();
        showInbox(pathNow());
      }}
    />
  );
}

/** Returns whether a click or Enter opens the link in this tab. */
function opensHere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** Returns the URL of a conversation in the view on screen. */
export function pathInView(id: string): string {
  return inboxPath({ ...(viewOnScreen() ?? { status: 'all' }), selected: id });
}

/** Returns the view of the inbox in the URL, or null on other pages. */
export function viewOnScreen(): InboxView | null {
  const { pathname, searchParams } = new URL(window.location.href);
  return pathname === '/inbox' ? parseInboxView(Object.fromEntries(searchParams)) : null;
}
