'use client';

import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServed } from '#app/components/live/use-served.ts';
import { choicesQuery, countsQuery } from '#app/components/view/inbox-queries.ts';
import type { InboxView } from '#app/lib/inbox-path.ts';
import type { ServedInbox } from '#app/lib/served-inbox.ts';
import type { FilterChoices, InboxCounts } from '#server/screens/inbox/views.ts';

/** Counts from the server and the view that they belong to. */
export type ServedCounts = Pick<ServedInbox, 'of' | 'counts'>;

/**
 * Returns the number of conversations per status for a view's filters, or null while unknown. Suspends for served
 * counts.
 */
export function useInboxCounts(view: InboxView, first: ServedCounts): InboxCounts | null {
  const screens = useScreens();
  useServed(countsQuery(screens, first.of).queryKey, use(first.counts));
  return useQuery(countsQuery(screens, view)).data ?? null;
}

/** Returns the current filter choices. Suspends for served choices. */
export function useFilterChoices(served: Promise<FilterChoices>): FilterChoices {
  const query = choicesQuery(useScreens());
  const first = use(served);
  useServed(query.queryKey, first);
  return useQuery(query).data ?? first;
}
