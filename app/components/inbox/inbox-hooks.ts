'use client';

import { use } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { choicesQuery, countsQuery } from '#app/components/view/inbox-queries.ts';
import { type InboxView, inboxPath } from '#app/lib/inbox-path.ts';
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
  const counted = use(first.counts);
  const isFirst =
    inboxPath({ ...first.of, status: 'all' }) === inboxPath({ ...view, status: 'all', selected: undefined });
  return useServedQuery(countsQuery(screens, view), isFirst ? counted : undefined).data ?? null;
}

/** Returns the current filter choices. Suspends for served choices. */
export function useFilterChoices(served: Promise<FilterChoices>): FilterChoices {
  const screens = useScreens();
  const first = use(served);
  return useServedQuery(choicesQuery(screens), first).data ?? first;
}
