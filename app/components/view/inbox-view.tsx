'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { onInboxShown } from '#app/components/view/show-inbox.ts';
import { type InboxView, parseInboxView } from '#app/lib/inbox-path.ts';
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
