'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { viewCountsQuery } from '#app/components/view/inbox-queries.ts';
import { useListView } from '#app/components/view/inbox-view.tsx';
import { inboxPath, savedPath } from '#app/lib/inbox-path.ts';
import type { SavedView } from '#server/screens/inbox/views.ts';

/** Returns the saved views that the navigation has loaded. */
export function useSavedViews(): SavedView[] {
  const { data } = useQuery({ ...viewCountsQuery(useScreens()), enabled: false });
  return data?.saved ?? [];
}

/**
 * Returns the saved views with the filters and the order of the inbox on screen. If there are several, which one the
 * teammate followed is unknown.
 */
export function useOpenSavedViews(): SavedView[] {
  const saved = useSavedViews();
  const isInbox = usePathname() === '/inbox';
  const path = inboxPath(useListView());
  return isInbox ? saved.filter((each) => pathOf(each) === path) : [];
}

/** Computed once: each link of the navigation looks for the open view among all. */
const paths = new WeakMap<SavedView, string>();

/** Returns the URL of a saved view. */
export function pathOf(view: SavedView): string {
  const path = paths.get(view) ?? savedPath(view.filters);
  paths.set(view, path);
  return path;
}
