'use client';

import { RotateCw } from 'lucide-react';
import { redeliverFailed } from '#app/components/integrations/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import { pluralize } from '#app/lib/pluralize.ts';

type Props = { failed: number; hookId: string | undefined; platformName: string };

/** Sends again all that failed lately, of the workflow that the log is narrowed to or of all. */
export function RedeliverFailedButton({ failed, hookId, platformName }: Props) {
  const { run } = useAction(redeliverFailed, {
    failed: 'Could not send the events again',
    done: (count) => `${pluralize(count, 'event')} will be sent again`,
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
        {failed === 1 ? 'is' : 'are'} sent again, 20 a second at most.
      </p>
      <p>Each event runs its workflow in {platformName} again with the same event.</p>
    </ConfirmDialog>
  );
}
