import { createStore } from 'zustand/vanilla';
import { markNotSpam, undeleteConversation } from '#app/components/inbox/removal-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { Removal } from '#server/screens/inbox/views.ts';

export const RESTORING = {
  spam: { label: 'Not spam', done: 'Moved back to the inbox', act: markNotSpam },
  deleted: { label: 'Restore', done: 'Conversation restored', act: undeleteConversation },
};

export type Restorable = { id: string; kind: Removal; title: string };

/** The conversations on a page of spam or deleted ones that the teammate may restore. */
export const restorable = createStore<{ rows: readonly Restorable[] }>(() => ({ rows: [] }));

/**
 * Returns a spam or deleted conversation to the inbox, and shows a toast.
 * @param refresh renders a page again that lists removed conversations
 */
export async function restore(id: string, kind: Removal, refresh: () => void): Promise<void> {
  const { done, act } = RESTORING[kind];
  const failed = 'Could not restore the conversation';
  if (!(await toastOutcome(act(id), { failed, done })).done) return;
  // The inbox reads its conversations by queries.
  if (window.location.pathname !== '/inbox') refresh();
  await refetchTopic('conversations');
}
