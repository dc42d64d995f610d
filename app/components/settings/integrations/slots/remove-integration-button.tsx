'use client';

import { removeIntegration } from '#app/components/settings/integrations/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';

/** Removes an integration of another kind than the platform's, after saying what that means. */
export function RemoveIntegrationButton({
  integration: { id, name },
}: {
  integration: { id: string; name: string };
}) {
  const { run } = useAction(removeIntegration, {
    failed: 'Not removed',
    done: `${name} removed; its slot is free`,
  });
  return (
    <ConfirmDialog
      trigger={
        <Button variant="quiet" aria-label={`Remove ${name}`} className="-my-2 -mr-2.5 px-2.5">
          Remove
        </Button>
      }
      title={`Remove ${name}?`}
      confirm="Remove"
      onConfirm={() => run(id)}
    >
      <p>It can no longer access this workspace. What it did stays.</p>
      <p>Its slot is free at once. Adding it again needs a free slot.</p>
    </ConfirmDialog>
  );
}
