'use client';

import { disconnectAccount } from '#app/components/settings/channels/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';

type Props = { accountId: string; name: string; channel: string };

/** Disconnects an account, after saying what becomes of its conversations. */
export function DisconnectButton({ accountId, name, channel }: Props) {
  const { run } = useAction(disconnectAccount, {
    failed: 'Not disconnected',
    done: `${name} is disconnected`,
  });
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Disconnect ${name}`}>Disconnect</Button>}
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      onConfirm={() => run(accountId)}
    >
      <p>Its conversations stay, but replies in them no longer reach the contact.</p>
      <p>What contacts write to it on {channel} no longer arrives here. Its tokens are deleted.</p>
    </ConfirmDialog>
  );
}
