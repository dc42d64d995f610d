'use client';

import { toast } from 'sonner';
import { disconnect } from '#app/components/integrations/disconnect.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { countOf } from '#app/lib/count-of.ts';

type Props = {
  connectionId: string;
  describedBy: string;
  teammateName: string;
  platformName: string;
  liveWorkflows: number;
};

/** Ends a connection, after saying what will stop. */
export function DisconnectButton(props: Props) {
  const { connectionId, describedBy, teammateName, platformName, liveWorkflows } = props;
  const run = async () => {
    const problem = await disconnect(connectionId);
    if (problem) toast.error('Not disconnected', { description: problem });
    else toast.success(`The connection of ${teammateName} has ended`);
  };
  return (
    <ConfirmDialog
      trigger={<Button aria-describedby={describedBy}>Disconnect</Button>}
      title={`Disconnect this connection of ${teammateName}?`}
      confirm="Disconnect"
      onConfirm={run}
    >
      <p>
        {liveWorkflows === 0
          ? 'No workflow listens through this connection at the moment.'
          : `${countOf(liveWorkflows, 'live workflow')} will no longer be told about events.`}{' '}
        Workflows can no longer read, write or reply through it, from this moment on.
      </p>
      <p>What they did so far stays. To use it again, it is connected anew in {platformName}.</p>
    </ConfirmDialog>
  );
}
