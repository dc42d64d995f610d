'use client';

import { toast } from 'sonner';
import { deleteFlow } from '#app/components/flows/delete-flow.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';

/** Deletes a flow, after saying what that means. */
export function DeleteFlowButton({ id, name }: { id: string; name: string }) {
  const run = async () => {
    const problem = await deleteFlow(id);
    if (problem) toast.error('Not deleted', { description: problem });
    else toast.success(`${name} deleted`);
  };
  return (
    <ConfirmDialog
      trigger={
        <Button kind="quiet" aria-label={`Delete ${name}`}>
          Delete
        </Button>
      }
      title={`Delete ${name}?`}
      confirm="Delete"
      onConfirm={run}
    >
      <p>It no longer runs for new conversations. What it did stays.</p>
      <p>This cannot be undone. To pause it, turn it off instead.</p>
    </ConfirmDialog>
  );
}
