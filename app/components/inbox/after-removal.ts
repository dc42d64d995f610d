import { markNotSpam, markSpam } from '#app/components/inbox/removal-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { leaveSolved } from '#app/components/view/open-neighbour.ts';
import type { Outcome } from '#app/lib/outcome.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

/** A conversation to remove from the inbox. */
type Leaving = { id: string; afterSolving: AfterSolving };

export type RemovalDialogProps = Leaving & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
};

type Removal<Value> = {
  remove: Promise<Outcome<Value>>;
  restore: (removed: Value) => Promise<Outcome<unknown>>;
  /** Success message. */
  done: string;
};

/**
 * Removes a conversation from the inbox and opens the next one. The toast has Undo. Returns whether it was removed.
 */
export async function removeFromInbox<Value>(
  { id, afterSolving }: Leaving,
  { remove, restore, done }: Removal<Value>,
): Promise<boolean> {
  let goBack: (() => void) | null = null;
  const undo = async (removed: Value) => {
    const restored = await toastOutcome(restore(removed), {
      failed: 'Could not restore the conversation',
      done: 'Undone',
    });
    if (!restored.done) return;
    await refetchTopic('conversations');
    goBack?.();
  };
  const outcome = await toastOutcome(remove, {
    failed: 'Could not change the conversation',
    done: (removed) => ({ title: done, undo: () => undo(removed) }),
  });
  if (!outcome.done) return false;
  goBack = leaveSolved(id, afterSolving);
  await refetchTopic('conversations');
  return true;
}

/** Marks a conversation as spam, and opens the next one. */
export function markAsSpam(leaving: Leaving): Promise<boolean> {
  const { id } = leaving;
  return removeFromInbox(leaving, {
    remove: markSpam(id),
    restore: () => markNotSpam(id),
    done: 'Marked as spam',
  });
}
