import { mutationOptions, type Query, type QueryClient } from '@tanstack/react-query';
import { refusedRequest, type ScreensClient } from '#app/components/live/page-data.ts';
import { toast } from '#app/components/ui/toast.ts';
import type { ListPages } from '#app/lib/served-inbox.ts';
import type { OpenedView } from '#server/screens/inbox/views.ts';

export type ReadStateClient = {
  queries: QueryClient;
  screens: { inbox: Pick<ScreensClient['inbox'], 'markRead' | 'markUnread'> };
};

/** Changes are saved one after the other, so that the last one counts. */
const SCOPE = { id: 'read-state' };
const LISTS = ['conversations', 'list'] as const;
/** Queries of counts that depend on read states. */
const COUNTS = ['viewCounts', 'foldedCounts', 'counts'];

/** Saves that a conversation was read, and then shows it. A lost request is repeated when it is opened again. */
export function markReadOptions(client: ReadStateClient) {
  return mutationOptions({
    scope: SCOPE,
    mutationFn: (id: string) => client.screens.inbox.markRead.mutate({ conversationId: id }),
    onMutate: () => ({ startedAt: Date.now(), cancelled: [] }),
    onSuccess: (_, id) => show(client.queries, id, false),
    onSettled: (_data, _error, id, context) => settle(client.queries, id, context),
  });
}

/** Shows a conversation as unread and saves it. */
export function markUnreadOptions(client: ReadStateClient) {
  return mutationOptions({
    scope: SCOPE,
    mutationFn: (id: string) => client.screens.inbox.markUnread.mutate({ conversationId: id }),
    onMutate: async (id) => {
      const startedAt = Date.now();
      // A response to a request from before the change would hide it.
      const cancelled = showing(client.queries, id).filter(
        ({ state }) => state.fetchStatus === 'fetching' && state.data !== undefined,
      );
      await client.queries.cancelQueries({ predicate: (query) => cancelled.includes(query) });
      show(client.queries, id, true);
      return { startedAt, cancelled };
    },
    // Another change may have been saved before.
    onSuccess: (_, id) => show(client.queries, id, true),
    onError: (error, id) => {
      show(client.queries, id, false);
      toast.error('Could not mark as unread', { description: refusedRequest(error).problem });
    },
    onSettled: (_data, _error, id, context) => settle(client.queries, id, context),
  });
}

/** Queries that show whether a conversation is unread. */
function showing(queries: QueryClient, id: string): Query[] {
  return [LISTS, ['conversations', 'opened', id]].flatMap((queryKey) =>
    queries.getQueryCache().findAll({ queryKey }),
  );
}

/** Shows a conversation as read or unread. Changes no other state of the queries: they stay as old as they are. */
function show(queries: QueryClient, id: string, unread: boolean): void {
  for (const query of showing(queries, id)) {
    if (query.queryKey[1] === 'opened') {
      const opened = query.state.data as OpenedView | null | undefined;
      if (opened) query.setState({ data: { ...opened, conversation: { ...opened.conversation, unread } } });
    } else {
      const list = query.state.data as ListPages | undefined;
      if (list) query.setState({ data: withUnread(list, id, unread) });
    }
  }
}

function withUnread(list: ListPages, id: string, unread: boolean): ListPages {
  return {
    ...list,
    pages: list.pages.map((page) =>
      page.rows.some((row) => row.id === id && row.unread !== unread)
        ? { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, unread } : row)) }
        : page,
    ),
  };
}

/** Fetches the counts, and what was fetched while the change was being saved. */
async function settle(
  queries: QueryClient,
  id: string,
  context: { startedAt: number; cancelled: Query[] } | undefined,
): Promise<void> {
  const { startedAt = 0, cancelled = [] } = context ?? {};
  const uncertain = showing(queries, id).filter(
    (query) =>
      cancelled.includes(query) ||
      query.state.fetchStatus === 'fetching' ||
      query.state.dataUpdatedAt >= startedAt,
  );
  await Promise.all([
    queries.invalidateQueries({ predicate: (query) => uncertain.includes(query) }),
    ...COUNTS.map((name) => queries.invalidateQueries({ queryKey: ['conversations', name] })),
  ]);
}
