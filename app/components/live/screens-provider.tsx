'use client';

import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import superjson from 'superjson';
import { listenTo } from '#app/components/live/live-source.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import { onShowAgain } from '#app/components/live/show-again.ts';
import { noteChanged } from '#app/components/live/use-served-query.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { screensRouter } from '#server/screens/router.ts';
import { LIVE_TOPICS, type LiveTopic } from '#server/screens/views.ts';

/** As many procedures as the server takes in one request, and an address that it takes (see handle-screens.ts). */
const BATCH_MAX = 10;
const URL_MAX_LENGTH = 8_000;

/** The queries of our own screens, from an open page. */
export type ScreensClient = ReturnType<typeof makeClient>;

const ScreensContext = createContext<ScreensClient | null>(null);

/** Lets a page read more than it was rendered with: what changed, lists that load on, and suggestions. */
export function ScreensProvider({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const [client] = useState(() => makeClient(workspaceId));
  const [queries] = useState(makeQueries);
  return (
    <QueryClientProvider client={queries}>
      <ScreensContext value={client}>{children}</ScreensContext>
      <LiveQueries />
    </QueryClientProvider>
  );
}

/** The queries of our own screens; below `ScreensProvider`. */
export function useScreens(): ScreensClient {
  const client = useContext(ScreensContext);
  if (!client) throw new Error('Screens are read below ScreensProvider.');
  return client;
}

/** Why a read failed, as a sentence. */
export function readProblem(error: unknown): string {
  const isAnswered = error instanceof TRPCClientError && error.data !== undefined;
  return isAnswered ? error.message : notReached().problem;
}

function makeClient(workspaceId: string) {
  return createTRPCClient<typeof screensRouter>({
    links: [
      httpBatchLink({
        url: '/api/screens',
        headers: { 'x-workspace-id': workspaceId },
        transformer: superjson,
        maxItems: BATCH_MAX,
        maxURLLength: URL_MAX_LENGTH,
      }),
    ],
  });
}

/** Live messages say what changed, so time that passed or a window that got the focus causes no further read. */
function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false } },
  });
}

/** The queries of a topic are those whose key begins with it; which commands there are, an open conversation says. */
function readAgain(queries: QueryClient, topic: LiveTopic): Promise<void> {
  const [first, ...rest] = topic === 'commands' ? (['conversations', 'opened'] as const) : [topic];
  noteChanged(first);
  return queries.invalidateQueries({ queryKey: [first, ...rest] });
}

/** Reads again what is shown when something of it has changed in the workspace, or by the reader. Shows nothing. */
function LiveQueries() {
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
