'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { viewCountsQuery } from '#app/components/inbox/inbox-queries.ts';
import { useListView } from '#app/components/inbox/inbox-view.tsx';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { inboxPath, savedPath } from '#app/lib/inbox-path.ts';
import type { SavedView } from '#server/screens/inbox/views.ts';

/** Returns the saved views that the navigation has loaded. */
export function useSavedViews(): SavedView[] {
  const { data } = useQuery({ ...viewCountsQuery(useScreens()), enabled: false });
  return data?.saved ?? [];
}

/** Returns the saved view with the filters and the order of the inbox on screen. */
export function useOpenSavedView(): SavedView | undefined {
  const saved = useSavedViews();
  const isInbox = usePathname() === '/inbox';
  const path = inboxPath(useListView());
  if (!isInbox || saved.length === 0) return undefined;
  return saved.find((each) => pathOf(each) === path);
}

/** Computed once: each link of the navigation looks for the open view among all. */
const paths = new WeakMap<SavedView, string>();

/** Returns the URL of a saved view. */
export function pathOf(view: SavedView): string {
  const path = paths.get(view) ?? savedPath(view.filters);
  paths.set(view, path);
  return path;
}
