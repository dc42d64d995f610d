'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '#app/components/ui/button.tsx';
import { chooseDefaultMailbox } from '#app/components/workspace/choose-default-mailbox.ts';

/** Makes a mailbox the one that new conversations are sent from. */
export function DefaultMailboxButton({ mailboxId, address }: { mailboxId: string; address: string }) {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const problem = await chooseDefaultMailbox(mailboxId);
      if (problem) toast.error('Not changed', { description: problem });
      else toast.success(`New conversations are sent from ${address}`);
    });
  return (
    <Button aria-label={`Make default: ${address}`} aria-busy={pending} onClick={() => pending || run()}>
      {pending ? 'One moment' : 'Make default'}
    </Button>
  );
}
