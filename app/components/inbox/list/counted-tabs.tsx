'use client';

import { StatusTabs } from '#app/components/inbox/list/status-tabs.tsx';
import { type ServedCounts, useInboxCounts } from '#app/components/inbox/shown/use-inbox-counts.ts';
import type { InboxView } from '#app/lib/paths/inbox-path.ts';

/** The tabs, each with how many it holds. */
export function CountedTabs({ view, first }: { view: InboxView; first: ServedCounts }) {
  return <StatusTabs view={view} counts={useInboxCounts(view, first)} />;
}
