'use client';

import { useState } from 'react';
import { checkSigningKey, makeSigningKey } from '#app/components/settings/channels/actions.ts';
import { CopiedValues } from '#app/components/settings/channels/copied-values.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction, usePendingTransition } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { SigningView } from '#server/screens/settings/channel-views.ts';

/** A domain's DKIM signing: state, DNS record and actions. */
export function SigningItem({ domain: view }: { domain: SigningView }) {
  const { id, domain, record, checkedAt } = view;
  const [found, setFound] = useState<string | null>(null);
  const [checking, startChecking] = usePendingTransition();
  const createKey = useAction(makeSigningKey, { failed: 'Could not create a key' });
  const check = () =>
    startChecking(async () => {
      const outcome = await checkSigningKey(id).catch(notReached);
      const message = outcome.done ? outcome.value : outcome.problem;
      if (message === null) toast.success(`Emails from ${domain} are signed`);
      setFound(message);
    });
  return (
    <li aria-label={domain} className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <h3 className="[overflow-wrap:anywhere]">{domain}</h3>
          <Signing view={view} />
        </div>
        {record ? (
          <div className="flex flex-wrap gap-2">
            <Button
              variant={checkedAt ? 'secondary' : 'primary'}
              aria-label={`Check the record of ${domain}`}
              aria-busy={checking}
              onClick={check}
            >
              {checking ? 'Checking' : 'Check'}
            </Button>
            <ConfirmDialog
              trigger={<Button aria-label={`Create a new key for ${domain}`}>New key</Button>}
              title={`Create a new key for ${domain}?`}
              confirm="Create new key"
              onConfirm={() => createKey.run(id)}
            >
              <p>Emails are sent unsigned until you add the new record to the DNS and check it here.</p>
            </ConfirmDialog>
          </div>
        ) : (
          <Button
            aria-label={`Set up signing for ${domain}`}
            aria-busy={createKey.pending}
            onClick={() => createKey.start(id)}
          >
            {createKey.pending ? 'Setting up' : 'Set up signing'}
          </Button>
        )}
      </div>
      {record && !checkedAt ? (
        <>
          <p className="max-w-[65ch] text-pretty text-list">
            Add this record to the domain’s DNS, for example at your registrar, and check it here. Don’t
            remove it: other mail servers read it for each email.
          </p>
          <CopiedValues
            values={[
              { label: 'Type', value: record.type },
              { label: 'Name', value: record.name },
              { label: 'Value', value: record.value },
            ]}
          />
        </>
      ) : null}
      <p role="status" className="text-pretty text-list empty:hidden [overflow-wrap:anywhere]">
        {checking ? null : found}
      </p>
    </li>
  );
}

function Signing({ view: { isVerified, record, checkedAt } }: { view: SigningView }) {
  return (
    <p className="text-list">
      {checkedAt ? (
        <StatusDot tone="good">
          <span>
            Emails are signed (DKIM), checked <RelativeTime at={checkedAt} />
          </span>
        </StatusDot>
      ) : record ? (
        <StatusDot tone="waiting">Signing is off: the DNS record was not found.</StatusDot>
      ) : (
        <span className="text-ink-soft">
          {isVerified
            ? 'Emails are not signed (DKIM). Signed emails are less often marked as spam.'
            : 'Not verified yet. No email is sent from this domain.'}
        </span>
      )}
    </p>
  );
}
