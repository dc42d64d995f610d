'use client';

import { updateConversation } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import type { ConversationChanges } from '#server/screens/inbox/views.ts';

type Change = {
  to: ConversationChanges;
  /** Success message. */
  done: string;
  /** Whether the toast offers Undo. */
  hasUndo: boolean;
  /** Shows the conversation again when the change is undone. */
  show?: (() => void) | null;
};

/** Changes a conversation and shows a toast with the outcome and Undo. Returns whether it was changed. */
export async function changeConversation(id: string, { to, done, hasUndo, show }: Change): Promise<boolean> {
  const undo = (back: ConversationChanges) => {
    show?.();
    return changeConversation(id, { to: back, done: 'Undone', hasUndo: false });
  };
  const outcome = await toastOutcome(updateConversation(id, to), {
    failed: 'Could not change the conversation',
    done: (back) => ({ title: done, undo: hasUndo ? () => undo(back) : undefined }),
  });
  // Keep the optimistic value until the conversation itself is refetched.
  if (outcome.done) await refetchTopic('conversations');
  return outcome.done;
}
