'use client';

import { removeMailbox } from '#app/components/settings/workspace/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';

type Props = { mailboxId: string; address: string; defaultAddress: string };

/** Removes a mailbox, after saying what becomes of its conversations. */
export function RemoveMailboxButton({ mailboxId, address, defaultAddress }: Props) {
  const { run } = useAction(removeMailbox, { failed: 'Not removed', done: `${address} removed` });
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Remove ${address}`}>Remove</Button>}
      title={`Remove ${address}?`}
      confirm="Remove"
      onConfirm={() => run(mailboxId)}
    >
      <p>Its conversations stay. Replies to them are sent from {defaultAddress}.</p>
      <p>Email that contacts send to {address} no longer arrives here.</p>
    </ConfirmDialog>
  );
}
