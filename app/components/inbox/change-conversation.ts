'use client';

import { toast } from 'sonner';
import { type ConversationChanges, updateConversation } from '#app/components/inbox/update-conversation.ts';

/** What is to change, what it is called once it is done, and what takes it back, if anything does. */
type Change = { to: ConversationChanges; done: string; back: ConversationChanges | null };

/** Changes a conversation and tells what came of it; taken back from the message about it. Answers whether it was done. */
export async function changeConversation(id: string, { to, done, back }: Change): Promise<boolean> {
  const problem = await updateConversation(id, to);
  if (problem) {
    toast.error('Nothing was changed', { description: problem });
    return false;
  }
  const undo = () => void changeConversation(id, { to: back ?? {}, done: 'Undone', back: null });
  toast.success(done, back ? { action: { label: 'Undo', onClick: undo } } : {});
  return true;
}
