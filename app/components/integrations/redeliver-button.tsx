'use client';

import { RotateCw } from 'lucide-react';
import { toast } from 'sonner';
import { redeliver } from '#app/components/integrations/redeliver.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import type { OpenDelivery } from '#server/automation/deliveries/views.ts';

type Props = {
  delivery: Pick<OpenDelivery, 'id' | 'eventName' | 'about' | 'state'>;
  platformName: string;
};

/** Sends a delivery again, after saying what that does. */
export function RedeliverButton({ delivery: { id, eventName, about, state }, platformName }: Props) {
  const run = async () => {
    const problem = await redeliver(id);
    if (problem) toast.error('Not sent again', { description: problem });
    else toast.success('The event is being sent again');
  };
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
      kind="primary"
      onConfirm={run}
    >
      <p>
        The workflow in {platformName} runs again with the same event: {eventName}
        {about ? `, “${about}”` : ''}.
      </p>
      {state === 'delivered' ? (
        <p>It was delivered before, so whatever the workflow does may be done a second time.</p>
      ) : null}
    </ConfirmDialog>
  );
}
