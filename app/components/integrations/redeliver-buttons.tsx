'use client';

import { RotateCw } from 'lucide-react';
import { redeliver, redeliverFailed } from '#app/components/integrations/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { OpenDelivery } from '#server/screens/integrations/views.ts';

type Props = {
  delivery: Pick<OpenDelivery, 'id' | 'eventName' | 'about' | 'state'>;
  platformName: string;
};

/** Redelivers an event after a confirmation. */
export function RedeliverButton({ delivery: { id, eventName, about, state }, platformName }: Props) {
  const { run } = useAction(redeliver, {
    failed: 'Could not redeliver the event',
    done: 'The event is being redelivered',
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
        Sends the same event to {platformName} again: {eventName}
        {about ? `, “${about}”` : ''}. If the workflow already ran, it runs twice.
      </p>
      {state === 'delivered' ? <p>This event was already delivered.</p> : null}
    </ConfirmDialog>
  );
}

type RedeliverFailedButtonProps = { failed: number; hookId: string | undefined; platformName: string };

/** Redelivers recent failures of the filtered hook or of all hooks. */
export function RedeliverFailedButton({ failed, hookId, platformName }: RedeliverFailedButtonProps) {
  const { run } = useAction(redeliverFailed, {
    failed: 'Could not redeliver the events',
    done: (count) => `${pluralize(count, 'event')} will be redelivered`,
  });
  const events = pluralize(failed, 'event');
  return (
    <ConfirmDialog
      trigger={
        <Button>
          <RotateCw aria-hidden size={15} />
          Redeliver {failed.toLocaleString('en-GB')} failed
        </Button>
      }
      title={`Redeliver ${events}?`}
      confirm="Redeliver all"
      variant="primary"
      onConfirm={() => run(hookId)}
    >
      <p>
        {failed === 1 ? 'One event' : `All ${events}`} that failed in the last 24 hours{' '}
        {hookId ? 'for this workflow' : 'for workflows that are still turned on'}{' '}
        {failed === 1 ? 'is' : 'are'} redelivered, at most 20 a second.
      </p>
      <p>Workflows in {platformName} that already ran for these events run again.</p>
    </ConfirmDialog>
  );
}
