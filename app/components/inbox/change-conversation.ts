'use client';

import { type ConversationChanges, updateConversation } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';

type Change = {
  to: ConversationChanges;
  /** Success message. */
  done: string;
  /** The change that undoes it, if any. */
  back: ConversationChanges | null;
  /** Shows the conversation again when the change is undone. */
  show?: (() => void) | null;
};

/** Changes a conversation and shows a toast with the outcome and Undo. Returns whether it was changed. */
export async function changeConversation(id: string, { to, done, back, show }: Change): Promise<boolean> {
  const undo = back
    ? () => {
        show?.();
        return changeConversation(id, { to: back, done: 'Undone', back: null });
      }
    : undefined;
  const outcome = await toastOutcome(updateConversation(id, to), {
    failed: 'Could not change the conversation',
    done: () => ({ title: done, undo }),
  });
  // Keep the optimistic value until the conversation itself is refetched.
  if (outcome.done) await refetchTopic('conversations');
  return outcome.done;
}
