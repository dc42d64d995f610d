'use client';

import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { listenTo } from '#app/components/live/live-source.ts';
import { pageData, refetchTopic, type ScreensClient, type Viewer } from '#app/components/live/page-data.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import { LIVE_TOPICS } from '#server/screens/views.ts';

// By default queries report a change in a timer, so that an act shows one frame later.
notifyManager.setScheduler(queueMicrotask);

const ScreensContext = createContext<ScreensClient | null>(null);

/** Provides queries (refetching after changes, infinite lists and suggestions). */
export function ScreensProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  const [{ screens, queries }] = useState(() => pageData(viewer));
  useEffect(followTopics, []);
  useEffect(() => void pageData(viewer), [viewer]);
  return (
    <QueryClientProvider client={queries}>
      <ScreensContext value={screens}>{children}</ScreensContext>
    </QueryClientProvider>
  );
}

/** Returns the client. Requires `ScreensProvider`. */
export function useScreens(): ScreensClient {
  const client = useContext(ScreensContext);
  if (!client) throw new Error('useScreens requires ScreensProvider.');
  return client;
}

/** Refetches observed queries after changes in the workspace. Returns the unsubscribe function. */
function followTopics(): () => void {
  const unsubscribes = LIVE_TOPICS.map((topic) => {
    const target = { refresh: () => refetchTopic(topic) };
    return listenTo(topic, () => refreshSoon(target));
  });
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
