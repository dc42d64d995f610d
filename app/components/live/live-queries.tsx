'use client';

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenTo } from '#app/components/live/live-source.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import { onShowAgain } from '#app/components/live/show-again.ts';
import { noteChanged } from '#app/components/live/use-served-query.ts';
import { LIVE_TOPICS, type LiveTopic } from '#server/screens/views.ts';

/** The queries of a topic are those whose key begins with it; which commands there are, an open conversation says. */
function readAgain(queries: QueryClient, topic: LiveTopic): Promise<void> {
  const [first, ...rest] = topic === 'commands' ? (['conversations', 'opened'] as const) : [topic];
  noteChanged(first);
  return queries.invalidateQueries({ queryKey: [first, ...rest] });
}

/** Reads again what is shown when something of it has changed in the workspace, or by the reader. Shows nothing. */
export function LiveQueries() {
  const queries = useQueryClient();
  useEffect(() => {
    const stops = LIVE_TOPICS.map((topic) => {
      const target = { refresh: () => void readAgain(queries, topic) };
      return listenTo(topic, () => refreshSoon(target));
    });
    stops.push(onShowAgain((topic) => readAgain(queries, topic)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [queries]);
  return null;
}
