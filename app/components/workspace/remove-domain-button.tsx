'use client';

import { toast } from 'sonner';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { removeDomain } from '#app/components/workspace/remove-domain.ts';

/** Removes a domain, after saying what that means. */
export function RemoveDomainButton({ domainId, domain }: { domainId: string; domain: string }) {
  const run = async () => {
    const problem = await removeDomain(domainId);
    if (problem) toast.error('Not removed', { description: problem });
    else toast.success(`${domain} removed`);
  };
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Remove ${domain}`}>Remove</Button>}
      title={`Remove ${domain}?`}
      confirm="Remove"
      onConfirm={run}
    >
      <p>You can no longer add mailboxes on it. Adding it again later needs a new DNS record.</p>
    </ConfirmDialog>
  );
}
