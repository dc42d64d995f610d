'use client';

import { useSearchParams } from 'next/navigation';
import { use, useMemo } from 'react';
import { choicesQuery, countsQuery, type ListView } from '#app/components/inbox/inbox-queries.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { type InboxView, inboxPath, readInboxView } from '#app/lib/inbox-path.ts';
import type { FilterChoices, InboxCounts } from '#server/screens/inbox/views.ts';

/** What the server counted, and of which view. */
export type ServedCounts = { of: ListView; counts: Promise<InboxCounts> };

/** How many conversations of a view's filters are in each status; null while that is not known. Suspends for what is served. */
export function useInboxCounts(view: InboxView, first: ServedCounts): InboxCounts | null {
  const screens = useScreens();
  const counted = use(first.counts);
  const isFirst =
    inboxPath({ ...first.of, status: 'all' }) === inboxPath({ ...view, status: 'all', selected: undefined });
  return useServedQuery(countsQuery(screens, view), isFirst ? counted : undefined).data ?? null;
}

/** What the inbox can be narrowed to, also what came meanwhile. Suspends for what is served. */
export function useFilterChoices(served: Promise<FilterChoices>): FilterChoices {
  const screens = useScreens();
  const first = use(served);
  return useServedQuery(choicesQuery(screens), first).data ?? first;
}

/** What of the inbox is shown, by its address. */
export function useInboxView(): InboxView {
  const params = useSearchParams();
  return useMemo(() => readInboxView(Object.fromEntries(params)), [params]);
}
