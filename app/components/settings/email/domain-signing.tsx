'use client';

import { useState } from 'react';
import { CopiedValues } from '#app/components/settings/channels/copied-values.tsx';
import { checkSigningKey, makeSigningKey } from '#app/components/settings/email/actions.ts';
import { DomainPart } from '#app/components/settings/email/domain-part.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction, usePendingTransition } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { DomainView } from '#server/screens/settings/channel-views.ts';

/** A verified domain's DKIM signing: state, DNS record and actions. */
export function DomainSigning({ domain: view }: { domain: DomainView }) {
  const { id, domain, signing } = view;
  const { record, checkedAt } = signing;
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
  const actions = record ? (
    <>
      <Button
        variant={checkedAt ? 'secondary' : 'primary'}
        aria-label={`Check the record of ${domain}`}
        aria-busy={checking}
        onClick={check}
      >
        {checking ? 'Checking' : 'Check'}
      </Button>
      {checkedAt ? (
        <ConfirmDialog
          trigger={<Button aria-label={`New key for ${domain}`}>New key</Button>}
          title={`Create a new key for ${domain}?`}
          confirm="Create new key"
          onConfirm={() => createKey.run(id)}
        >
          <p>Emails are sent unsigned until you add the new record to the DNS and check it here.</p>
        </ConfirmDialog>
      ) : null}
    </>
  ) : (
    <Button
      aria-label={`Set up signing for ${domain}`}
      aria-busy={createKey.pending}
      onClick={() => createKey.start(id)}
    >
      {createKey.pending ? 'Setting up' : 'Set up signing'}
    </Button>
  );
  return (
    <DomainPart name="Signing" actions={actions} state={<SigningState signing={signing} />}>
      {record && !checkedAt ? (
        <>
          <p className="max-w-[65ch] text-pretty">
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
      <p role="status" className="text-pretty empty:hidden [overflow-wrap:anywhere]">
        {checking ? null : found}
      </p>
    </DomainPart>
  );
}

function SigningState({ signing: { record, checkedAt } }: Pick<DomainView, 'signing'>) {
  if (checkedAt) {
    return (
      <StatusDot tone="good" wrap>
        <span>
          Emails are signed (DKIM), checked <RelativeTime at={checkedAt} />
        </span>
      </StatusDot>
    );
  }
  return (
    <StatusDot tone={record ? 'waiting' : 'quiet'} wrap>
      <span>
        {record
          ? 'Emails are sent unsigned until the record below is found in the DNS.'
          : 'Emails are not signed (DKIM). Signed emails are less often marked as spam.'}
      </span>
    </StatusDot>
  );
}
