'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { listenTo } from '#app/components/live/live-source.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import type { LiveTopic } from '#server/screens/views.ts';

/** One change reaches all listeners of a page in one task: it is one refresh. */
let asked = false;

function refreshOnce(router: { refresh: () => void }): void {
  if (asked) return;
  asked = true;
  queueMicrotask(() => {
    asked = false;
  });
  refreshSoon(router);
}

/** Fetches the page again when something of this kind changes in the open workspace. Shows nothing. */
export function RefreshOn({ topic }: { topic: LiveTopic }) {
  const router = useRouter();
  useEffect(() => listenTo(topic, () => refreshOnce(router)), [topic, router]);
  return null;
}

/** Pages that show something of conversations are fetched again when these change; the inbox reads what changed itself. */
export function RefreshElsewhere() {
  return usePathname() === '/inbox' ? null : <RefreshOn topic="conversations" />;
}
