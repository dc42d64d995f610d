'use client';

import { deleteFlow } from '#app/components/flows/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

/** Deletes a flow, after saying what that means. */
export function DeleteFlowButton({ id, name }: { id: string; name: string }) {
  const { run } = useAction(deleteFlow, { failed: 'Not deleted', done: `${name} deleted` });
  return (
    <ConfirmDialog
      trigger={
        <Button kind="quiet" aria-label={`Delete ${name}`}>
          Delete
        </Button>
      }
      title={`Delete ${name}?`}
      confirm="Delete"
      onConfirm={() => run(id)}
    >
      <p>It no longer runs for new conversations. What it did stays.</p>
      <p>This cannot be undone. To pause it, turn it off instead.</p>
    </ConfirmDialog>
  );
}
