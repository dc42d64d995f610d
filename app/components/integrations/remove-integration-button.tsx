'use client';

import { toast } from 'sonner';
import { removeIntegration } from '#app/components/integrations/remove-integration.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';

/** Removes an integration of another kind than the platform's, after saying what that means. */
export function RemoveIntegrationButton({
  integration: { id, name },
}: {
  integration: { id: string; name: string };
}) {
  const run = async () => {
    const problem = await removeIntegration(id);
    if (problem) toast.error('Not removed', { description: problem });
    else toast.success(`${name} removed; its slot is free`);
  };
  return (
    <ConfirmDialog
      trigger={
        <Button kind="quiet" aria-label={`Remove ${name}`} className="-my-2 -mr-2.5 px-2.5">
          Remove
        </Button>
      }
      title={`Remove ${name}?`}
      confirm="Remove"
      onConfirm={run}
    >
      <p>It can no longer access this workspace. What it did stays.</p>
      <p>Its slot is free at once. Adding it again needs a free slot.</p>
    </ConfirmDialog>
  );
}
