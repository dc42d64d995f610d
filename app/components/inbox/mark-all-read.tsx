'use client';

import { CheckCheck } from 'lucide-react';
import { markAllRead } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

/** Marks all conversations of the workspace as read by the teammate. */
export function MarkAllRead() {
  const { pending, start } = useAction(save, {
    failed: 'Could not mark as read',
    done: 'All conversations marked as read',
  });
  return (
    <Button
      variant="quiet"
      data-shortcut="mark-all-read"
      className="mt-1 w-full"
      aria-busy={pending}
      onClick={() => start()}
    >
      <CheckCheck aria-hidden size={15} />
      {pending ? 'Marking as read' : 'Mark all as read'}
    </Button>
  );
}

async function save() {
  const outcome = await markAllRead();
  if (outcome.done) await refetchTopic('conversations');
  return outcome;
}
