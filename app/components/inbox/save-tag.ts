import { addTags, removeTags } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';

const TEXTS = {
  add: { done: 'Added', failed: 'Could not add the tag', undoFailed: 'Could not undo the change' },
  remove: { done: 'Removed', failed: 'Could not remove the tag', undoFailed: 'Could not restore the tag' },
};

/** Adds or removes a tag, and offers Undo in a toast. Returns whether it was done. */
export async function saveTag(id: string, tag: string, how: 'add' | 'remove'): Promise<boolean> {
  const [save, revert] = how === 'add' ? [addTags, removeTags] : [removeTags, addTags];
  const { done, failed, undoFailed } = TEXTS[how];
  const undo = async () => {
    await toastOutcome(revert(id, [tag]), { failed: undoFailed });
    await refetchTopic('conversations');
  };
  const outcome = await toastOutcome(save(id, [tag]), {
    failed,
    done: () => ({ title: `${done} the tag ${tag}`, undo }),
  });
  if (outcome.done) await refetchTopic('conversations');
  return outcome.done;
}
