'use client';

import { deleteAnswer, restoreAnswer } from '#app/components/ai-agent/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { tellOutcome, useAction } from '#app/components/ui/use-action.ts';
import type { SavedAnswerView } from '#server/inbox/ai-agent/views.ts';

/** Deletes a saved answer at once; the message about it brings it back. */
export function DeleteAnswerButton({ saved }: { saved: SavedAnswerView }) {
  const restore = () =>
    tellOutcome(restoreAnswer(saved), { failed: 'Not brought back', done: 'The answer is back' });
  const { pending, start } = useAction(deleteAnswer, {
    failed: 'Not deleted',
    done: () => ({ title: 'The answer is deleted', description: saved.question, undo: restore }),
  });
  return (
    <Button
      kind="quiet"
      aria-label={`Delete: ${saved.question}`}
      aria-busy={pending}
      onClick={() => start(saved.id)}
    >
      {pending ? 'Deleting' : 'Delete'}
    </Button>
  );
}
