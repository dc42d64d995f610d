'use client';

import { undoMerge } from '#app/components/inbox/undo-merge.ts';
import { Button } from '#app/components/ui/button.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';

/** Separates a merged conversation from the other one again. */
export function UndoMergeButton({ id }: { id: string }) {
  const [pending, start] = usePendingTransition();
  return (
    <Button aria-busy={pending} onClick={() => start(() => undoMerge([id]))}>
      Undo merge
    </Button>
  );
}
