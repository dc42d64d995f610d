'use client';

import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useServedQuery } from '#app/components/live/use-served-query.ts';
import { formatCount } from '#app/lib/format-count.ts';
import type { ViewCounts } from '#server/screens/inbox/views.ts';

/** How many open conversations a view of the inbox holds, for the navigation. */
export function LiveCount({ view, served }: { view: keyof ViewCounts; served: ViewCounts }) {
  const screens = useScreens();
  const { data: counts = served } = useServedQuery(
    {
      queryKey: ['conversations', 'viewCounts'] as const,
      queryFn: ({ signal }) => screens.inbox.viewCounts.query(undefined, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    },
    served,
  );
  return (
    <span className="tabular text-xs">
      {formatCount(counts[view])}
      <span className="sr-only"> open</span>
    </span>
  );
}
