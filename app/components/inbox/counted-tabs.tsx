'use client';

import { type ServedCounts, useInboxCounts } from '#app/components/inbox/inbox-hooks.ts';
import { StatusTabs } from '#app/components/inbox/status-tabs.tsx';
import type { InboxView } from '#app/lib/inbox-path.ts';

/** The tabs, each with how many it holds. */
export function CountedTabs({ view, first }: { view: InboxView; first: ServedCounts }) {
  return <StatusTabs view={view} counts={useInboxCounts(view, first)} />;
}
