'use client';

import { removeDomain } from '#app/components/settings/workspace/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useAction } from '#app/components/ui/forms/use-action.ts';
import { ConfirmDialog } from '#app/components/ui/overlays/confirm-dialog.tsx';

/** Removes a domain, after saying what that means. */
export function RemoveDomainButton({ domainId, domain }: { domainId: string; domain: string }) {
  const { run } = useAction(removeDomain, { failed: 'Not removed', done: `${domain} removed` });
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Remove ${domain}`}>Remove</Button>}
      title={`Remove ${domain}?`}
      confirm="Remove"
      onConfirm={() => run(domainId)}
    >
      <p>You can no longer add mailboxes on it. Adding it again later needs a new DNS record.</p>
    </ConfirmDialog>
  );
}
