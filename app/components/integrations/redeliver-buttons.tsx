'use client';

import { RotateCw } from 'lucide-react';
import { redeliver } from '#app/components/integrations/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { OpenDelivery } from '#server/screens/integrations/views.ts';

type Props = {
  delivery: Pick<OpenDelivery, 'id' | 'eventName' | 'about' | 'state'>;
  platformName: string;
};

/** Sends a delivery again, after saying what that does. */
export function RedeliverButton({ delivery: { id, eventName, about, state }, platformName }: Props) {
  const { run } = useAction(redeliver, {
    failed: 'Could not send the event again',
    done: 'The event is being sent again',
  });
  return (
    <ConfirmDialog
      trigger={
        <Button>
          <RotateCw aria-hidden size={15} />
          Redeliver
        </Button>
      }
      title="Redeliver this event?"
      confirm="Redeliver"
      variant="primary"
      onConfirm={() => run(id)}
    >
      <p>
        The workflow in {platformName} runs again with the same event: {eventName}
        {about ? `, “${about}”` : ''}.
      </p>
      {state === 'delivered' ? (
        <p>It was already delivered, so the workflow may repeat what it did.</p>
      ) : null}
    </ConfirmDialog>
  );
}
