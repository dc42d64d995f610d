'use client';

import { notifyManager, QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, splitLink, TRPCClientError } from '@trpc/client';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import superjson from 'superjson';
import { InboxViewProvider } from '#app/components/inbox/inbox-view.tsx';
import { listenTo } from '#app/components/live/live-source.ts';
import { onRefetchTopic } from '#app/components/live/refetch-topic.ts';
import { refreshSoon } from '#app/components/live/refresh-soon.ts';
import { markChanged } from '#app/components/live/use-served-query.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { screensRouter } from '#server/screens/router.ts';
import { LIVE_TOPICS, type LiveTopic } from '#server/screens/views.ts';

/** Limits of a batch that the server accepts (see handle-screens.ts). */
const BATCH_MAX = 10;
const URL_MAX_LENGTH = 8_000;

// By default queries report a change in a timer, so that an act shows one frame later.
notifyManager.setScheduler(queueMicrotask);

/** tRPC client of the screens. */
export type ScreensClient = ReturnType<typeof createClient>;

const ScreensContext = createContext<ScreensClient | null>(null);

/** Provides queries (refetching after changes, infinite lists and suggestions) and the view in the URL. */
export function ScreensProvider({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const [client] = useState(() => createClient(workspaceId));
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <ScreensContext value={client}>
        <InboxViewProvider>{children}</InboxViewProvider>
      </ScreensContext>
      <LiveQueries />
    </QueryClientProvider>
  );
}

/** Returns the client. Requires `ScreensProvider`. */
export function useScreens(): ScreensClient {
  const client = useContext(ScreensContext);
  if (!client) throw new Error('useScreens requires ScreensProvider.');
  return client;
}

/** Returns the error message of a failed query. */
export function queryErrorMessage(error: unknown): string {
  const hasResponse = error instanceof TRPCClientError && error.data !== undefined;
  return hasResponse ? error.message : notReached().problem;
}

/**
 * Returns whether the server refuses the page: the session has expired, or another workspace is open. The refreshed page
 * handles both. During an outage a refresh would replace the page with an error of the browser.
 */
export function isPageRefused(error: Error | null): boolean {
  const response = error instanceof TRPCClientError ? error.meta?.response : undefined;
  return response instanceof Response && [401, 403, 409].includes(response.status);
}

function createClient(workspaceId: string) {
  const batch = () =>
    httpBatchLink<typeof screensRouter>({
      url: '/api/screens',
      headers: { 'x-workspace-id': workspaceId },
      transformer: superjson,
      maxItems: BATCH_MAX,
      maxURLLength: URL_MAX_LENGTH,
    });
  // A batch responds when its slowest query is done. So that rows do not wait for counts, these have a separate batch.
  const counts = ['inbox.counts', 'inbox.viewCounts', 'inbox.foldedCounts'];
  return createTRPCClient<typeof screensRouter>({
    links: [splitLink({ condition: ({ path }) => counts.includes(path), true: batch(), false: batch() })],
  });
}

/** No refetching on focus or by age: live messages announce changes. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false } },
  });
}

/**
 * Refetches the queries of a topic, whose keys start with it. `commands` refetches the open conversation, which
 * contains them.
 */
function refetch(queries: QueryClient, topic: LiveTopic): Promise<void> {
  const [first, ...rest] = topic === 'commands' ? (['conversations', 'opened'] as const) : [topic];
  markChanged(first);
  return queries.invalidateQueries({ queryKey: [first, ...rest] });
}

/** Refetches observed queries after changes in the workspace or by the user. Renders nothing. */
function LiveQueries() {
  const queries = useQueryClient();
  useEffect(() => {
    const unsubscribes = LIVE_TOPICS.map((topic) => {
      const target = { refresh: () => refetch(queries, topic) };
      return listenTo(topic, () => refreshSoon(target));
    });
    unsubscribes.push(onRefetchTopic((topic) => refetch(queries, topic)));
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [queries]);
  return null;
}
