'use client';

import { chooseDefaultMailbox } from '#app/components/settings/workspace/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

/** Makes a mailbox the one that new conversations are sent from. */
export function DefaultMailboxButton({ mailboxId, address }: { mailboxId: string; address: string }) {
  const { pending, start } = useAction(chooseDefaultMailbox, {
    failed: 'Could not change the default mailbox',
    done: `New conversations are sent from ${address}`,
  });
  return (
    <Button aria-label={`Make default: ${address}`} aria-busy={pending} onClick={() => start(mailboxId)}>
      {pending ? 'One moment' : 'Make default'}
    </Button>
  );
}
