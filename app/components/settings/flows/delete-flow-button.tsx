'use client';

import { deleteFlow } from '#app/components/settings/flows/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';

/** Deletes a flow, after saying what that means. */
export function DeleteFlowButton({ id, name }: { id: string; name: string }) {
  const { run } = useAction(deleteFlow, { failed: 'Not deleted', done: `${name} deleted` });
  return (
    <ConfirmDialog
      trigger={
        <Button variant="quiet" aria-label={`Delete ${name}`}>
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
