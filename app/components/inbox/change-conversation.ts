'use client';

import { updateConversation } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { BulkChange, ValuesBefore } from '#server/screens/inbox/views.ts';

type Change = {
  /** Only closing has no Undo. */
  to:
    | Extract<BulkChange, { kind: 'status' | 'priority' | 'assignee' | 'team' }>
    | { kind: 'closing'; status: 'closed' };
  /** Success message. */
  done: string;
  /** Shows the conversation again when the change is undone. */
  show?: (() => void) | null;
};

/** Changes a conversation and shows a toast with the outcome and Undo. Returns whether it was changed. */
export async function changeConversation(id: string, { to, done, show }: Change): Promise<boolean> {
  const { kind, ...changes } = to;
  const undo = (before: ValuesBefore, change: BulkChange) => {
    show?.();
    return undoWithToast(before, change);
  };
  const outcome = await toastOutcome(updateConversation(id, changes), {
    failed: 'Could not change the conversation',
    done: (before) => ({ title: done, undo: to.kind === 'closing' ? undefined : () => undo(before, to) }),
  });
  // Keep the optimistic value until the conversation itself is refetched.
  if (outcome.done) await refetchTopic('conversations');
  return outcome.done;
}

/** Restores the values before a change, unless somebody changed the conversation since. Shows a toast. */
export function undoWithToast(before: ValuesBefore, change: BulkChange): Promise<unknown> {
  const undone = import('#app/components/inbox/run-bulk.ts').then(({ undoOne }) => undoOne(before, change));
  return toastOutcome(undone, { failed: 'Could not undo the change' });
}
