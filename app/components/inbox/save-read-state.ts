import type { QueryClient } from '@tanstack/react-query';
import { markRead, markUnread } from '#app/components/inbox/actions.ts';
import { type ReadStateClient, showReadState } from '#app/components/inbox/read-state.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';

// Loaded when the first conversation is read or marked as unread.

/** Saves that a conversation was read. A lost request is repeated when the conversation is opened again. */
export async function saveRead(client: ReadStateClient, id: string): Promise<void> {
  const outcome = await markRead(id).catch(notReached);
  if (!outcome.done) return;
  showReadState(client, { id, unread: false });
  await refetchUnreadCounts(client.queries);
}

/**
 * Saves that a conversation is unread. The list already shows the change. Lists fetched before it is saved also show
 * it.
 */
export async function saveUnread(client: ReadStateClient, id: string): Promise<void> {
  const outcome = await toastOutcome(markUnread(id), { failed: 'Could not mark as unread' });
  showReadState(client, { id, unread: outcome.done });
  await refetchUnreadCounts(client.queries);
}

/** Fetches the counts that depend on read states. */
async function refetchUnreadCounts(queries: QueryClient): Promise<void> {
  await Promise.all(
    ['viewCounts', 'foldedCounts', 'counts'].map((name) =>
      queries.invalidateQueries({ queryKey: ['conversations', name] }),
    ),
  );
}
