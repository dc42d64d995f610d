'use client';

import { disconnect } from '#app/components/settings/integrations/actions.ts';
import { StoppingWorkflows } from '#app/components/settings/integrations/connections/stopping-workflows.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';
import type { ConnectionHook } from '#server/automation/connections/views.ts';

type Props = {
  connectionId: string;
  describedBy: string;
  teammateName: string;
  platformName: string;
  hooks: ConnectionHook[];
};

/** Ends a connection, after saying what will stop. */
export function DisconnectButton(props: Props) {
  const { connectionId, describedBy, teammateName, platformName, hooks } = props;
  const { run } = useAction(disconnect, {
    failed: 'Not disconnected',
    done: `${teammateName}’s connection has ended`,
  });
  return (
    <ConfirmDialog
      trigger={<Button aria-describedby={describedBy}>Disconnect</Button>}
      title={`Disconnect ${teammateName}’s connection?`}
      confirm="Disconnect"
      onConfirm={() => run(connectionId)}
    >
      <StoppingWorkflows hooks={hooks} />
      <p>Nothing in {platformName} can read, write or reply through it from this moment on.</p>
      <p>What was done through it stays. To use it again, reconnect in {platformName}.</p>
    </ConfirmDialog>
  );
}
