'use client';

import { toast } from 'sonner';
import { disconnectAccount } from '#app/components/channels/change-accounts.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';

type Props = { accountId: string; name: string; channel: string };

/** Disconnects an account, after saying what becomes of its conversations. */
export function DisconnectButton({ accountId, name, channel }: Props) {
  const run = async () => {
    const problem = await disconnectAccount(accountId);
    if (problem) toast.error('Not disconnected', { description: problem });
    else toast.success(`${name} is disconnected`);
  };
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Disconnect ${name}`}>Disconnect</Button>}
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      onConfirm={run}
    >
      <p>Its conversations stay, but replies in them no longer reach the contact.</p>
      <p>What contacts write to it on {channel} no longer arrives here. Its tokens are deleted.</p>
    </ConfirmDialog>
  );
}
