'use client';

import { blockSender, unblockSender } from '#app/components/settings/blocked-senders/actions.ts';
import { AddForm } from '#app/components/ui/add-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';

/** Adds an address or a domain to the block list. */
export function BlockForm() {
  return (
    <AddForm
      add={blockSender}
      onAdded={({ value }) => toast.success(`${value} blocked`)}
      title="Block a sender"
      name="sender"
      label="Block an address or a domain"
      hint="A domain includes its subdomains."
      button={{ label: 'Block sender', busy: 'Blocking' }}
    />
  );
}

export function UnblockButton({ id, name }: { id: string; name: string }) {
  const { pending, start } = useAction(unblockSender, {
    failed: `Could not unblock ${name}`,
    done: `${name} unblocked`,
  });
  return (
    <Button variant="quiet" aria-label={`Unblock ${name}`} aria-busy={pending} onClick={() => start(id)}>
      Unblock
    </Button>
  );
}
