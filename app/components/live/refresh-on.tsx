'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { listenTo } from '#app/components/live/live-source.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import type { LiveTopic } from '#server/screens/views.ts';

/** One change reaches all listeners of a page in the same task. Refresh once. */
let isScheduled = false;

function refreshOnce(router: { refresh: () => void }): void {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
  });
  refreshSoon(router);
}

/** Refreshes the page when data of this topic changes in the open workspace. Renders nothing. */
export function RefreshOn({ topic }: { topic: LiveTopic }) {
  const router = useRouter();
  useEffect(() => listenTo(topic, () => refreshOnce(router)), [topic, router]);
  return null;
}

/** Refreshes pages other than the inbox when conversations change. The inbox refetches its own queries. */
export function RefreshElsewhere() {
  return usePathname() === '/inbox' ? null : <RefreshOn topic="conversations" />;
}
