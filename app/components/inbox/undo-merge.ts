import { undoMerges } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';

/** Separates merged conversations from the other one again and shows a toast. */
export async function undoMerge(ids: string[]): Promise<void> {
  await toastOutcome(undoMerges(ids), { failed: 'Could not undo the merge', done: 'Merge undone' });
  await refetchTopic('conversations');
}
