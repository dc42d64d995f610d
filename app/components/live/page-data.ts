import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { notReached, type Outcome, type Refused, refusedWith } from '#app/lib/outcome.ts';
import type { screensRouter } from '#server/screens/router.ts';
import type { LiveTopic } from '#server/screens/views.ts';

/** Limits of a batch that the server accepts (see handle-screens.ts). */
const BATCH_MAX = 10;
const URL_MAX_LENGTH = 8_000;

/** tRPC client of the screens. */
export type ScreensClient = ReturnType<typeof createClient>;

/** The teammate and the workspace of a page. `seesAll`: no conversation of the workspace is hidden from the teammate. */
export type Viewer = { userId: string; workspaceId: string; seesAll: boolean };

type PageData = {
  viewer: Viewer;
  screens: ScreensClient;
  queries: QueryClient;
  /** Topics that changed since the page was loaded. */
  changed: Set<string>;
};

/** Data of the open page. The server renders many pages, and has none. */
let openPage: PageData | null = null;

/** Returns the client and the queries of a page. No data of another teammate or workspace is shown on it. */
export function pageData(viewer: Viewer): PageData {
  const { userId, workspaceId } = viewer;
  if (openPage?.viewer.userId === userId && openPage.viewer.workspaceId === workspaceId) {
    openPage.viewer = viewer;
    return openPage;
  }
  const screens = createClient(workspaceId);
  const created = { viewer, screens, queries: createQueryClient(), changed: new Set<string>() };
  if (typeof window !== 'undefined') openPage = created;
  return created;
}

/**
 * Creates a change that a page posts to procedures of the screens. Refusals and lost requests are outcomes. Procedures check
 * permissions and validate arguments.
 */
export function change<Args extends unknown[], Value>(
  work: (screens: ScreensClient, ...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Outcome<Value>> {
  return async (...args) => {
    if (!openPage) return notReached();
    try {
      return { done: true, value: await work(openPage.screens, ...args) };
    } catch (error) {
      return refusedRequest(error);
    }
  };
}

/**
 * Refetches the observed queries of a topic, whose keys start with it. `commands` and `draft` refetch the open conversation, which
 * contains them. Resolves once they are fetched.
 */
export async function refetchTopic(topic: LiveTopic): Promise<void> {
  if (topic === 'access') return refetchAll();
  const queryKey =
    topic === 'commands' || topic === 'draft' ? (['conversations', 'opened'] as const) : ([topic] as const);
  openPage?.changed.add(queryKey[0]);
  // A conversation can have left a limited view. It would be shown until it is fetched.
  if (topic === 'conversations' && openPage?.viewer.seesAll === false)
    openPage.queries.removeQueries({ queryKey: ['conversations', 'opened'], type: 'inactive' });
  await openPage?.queries.invalidateQueries({ queryKey });
}

/** Refetches what the page shows and drops the rest, because the teammate may no longer see it. */
async function refetchAll(): Promise<void> {
  openPage?.queries.removeQueries({ type: 'inactive' });
  await openPage?.queries.invalidateQueries();
}

/** Returns whether a topic has changed since the page was loaded. */
export function hasChanged(topic: string): boolean {
  return openPage?.changed.has(topic) ?? false;
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

/** Returns the outcome of a failed request: a refusal by the procedure, by the HTTP server before it, or no response. */
export function refusedRequest(error: unknown): Refused {
  if (!(error instanceof TRPCClientError)) return notReached(error);
  const { data, meta, message } = error as TRPCClientError<typeof screensRouter>;
  if (data) return refusedWith(message, data.errors ?? {});
  const response: unknown = meta?.responseJSON;
  const isRefusal = typeof response === 'object' && response !== null && 'message' in response;
  return isRefusal && typeof response.message === 'string' ? refusedWith(response.message) : notReached();
}

function createClient(workspaceId: string) {
  const options = {
    url: '/api/screens',
    headers: { 'x-workspace-id': workspaceId },
    transformer: superjson,
  };
  const batch = () =>
    httpBatchLink<typeof screensRouter>({ ...options, maxItems: BATCH_MAX, maxURLLength: URL_MAX_LENGTH });
  // A batch responds when its slowest query is done. So that rows do not wait for counts, these have a separate batch.
  const counts = ['inbox.counts', 'inbox.viewCounts', 'inbox.foldedCounts'];
  const queries = splitLink({
    condition: ({ path }) => counts.includes(path),
    true: batch(),
    false: batch(),
  });
  return createTRPCClient<typeof screensRouter>({
    links: [
      splitLink({ condition: ({ type }) => type === 'mutation', true: httpLink(options), false: queries }),
    ],
  });
}

/** No refetching on focus or by age: live messages announce changes. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
      // Without a network a change fails immediately instead of waiting for it.
      mutations: { networkMode: 'always' },
    },
  });
}
