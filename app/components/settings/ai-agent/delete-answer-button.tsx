'use client';

import { deleteAnswer, restoreAnswer } from '#app/components/settings/ai-agent/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { toastOutcome, useAction } from '#app/components/ui/use-action.ts';
import type { SavedAnswerView } from '#server/screens/settings/channel-views.ts';

/** Deletes a saved answer at once; the message about it brings it back. */
export function DeleteAnswerButton({ saved }: { saved: SavedAnswerView }) {
  const restore = () =>
    toastOutcome(restoreAnswer(saved), { failed: 'Could not restore the answer', done: 'Answer restored' });
  const { pending, start } = useAction(deleteAnswer, {
    failed: 'Could not delete the answer',
    done: () => ({ title: 'Answer deleted', description: saved.question, undo: restore }),
  });
  return (
    <Button
      variant="quiet"
      aria-label={`Delete: ${saved.question}`}
      aria-busy={pending}
      onClick={() => start(saved.id)}
    >
      {pending ? 'Deleting' : 'Delete'}
    </Button>
  );
}
