'use client';

import { type ConversationChanges, updateConversation } from '#app/components/inbox/actions.ts';
import { showAgain } from '#app/components/live/show-again.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';

/** What is to change, what it is called once it is done, and what takes it back, if anything does. */
type Change = { to: ConversationChanges; done: string; back: ConversationChanges | null };

/** Changes a conversation and shows a toast with the outcome and Undo. Returns whether it was changed. */
export async function changeConversation(id: string, { to, done, back }: Change): Promise<boolean> {
  const undo = back ? () => changeConversation(id, { to: back, done: 'Undone', back: null }) : undefined;
  const outcome = await toastOutcome(updateConversation(id, to), {
    failed: 'Could not change the conversation',
    done: () => ({ title: done, undo }),
  });
  // What was chosen stays until the conversation itself shows it.
  if (outcome.done) await showAgain('conversations');
  return outcome.done;
}
