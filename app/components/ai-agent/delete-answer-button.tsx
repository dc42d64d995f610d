'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { deleteAnswer, restoreAnswer } from '#app/components/ai-agent/delete-answer.ts';
import { Button } from '#app/components/ui/button.tsx';
import type { SavedAnswerView } from '#server/inbox/ai-agent/views.ts';

/** Deletes a saved answer at once; the message about it brings it back. */
export function DeleteAnswerButton({ saved }: { saved: SavedAnswerView }) {
  const [pending, start] = useTransition();
  const restore = async () => {
    const problem = await restoreAnswer(saved);
    if (problem) toast.error('Not brought back', { description: problem });
    else toast.success('The answer is back');
  };
  const run = () =>
    start(async () => {
      const problem = await deleteAnswer(saved.id);
      if (problem) toast.error('Not deleted', { description: problem });
      else {
        toast.success('The answer is deleted', {
          description: saved.question,
          action: { label: 'Undo', onClick: () => void restore() },
        });
      }
    });
  return (
    <Button
      kind="quiet"
      aria-label={`Delete: ${saved.question}`}
      aria-busy={pending}
      onClick={() => pending || run()}
    >
      {pending ? 'Deleting' : 'Delete'}
    </Button>
  );
}
