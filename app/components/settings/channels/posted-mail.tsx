'use client';

import { useState } from 'react';
import { connectPostedMail } from '#app/components/settings/channels/actions.ts';
import { CopiedValues } from '#app/components/settings/channels/copied-values.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { EmailChannelView } from '#server/screens/settings/channel-views.ts';

type Made = { address: string; signingSecret: string };

/** The address to which a mail provider posts what arrives: made here, its secret shown once. */
export function PostedMail({ postedMail }: Pick<EmailChannelView, 'postedMail'>) {
  const [made, setMade] = useState<Made | null>(null);
  const { run, start, pending } = useAction(connectPostedMail, {
    failed: 'Could not make an address',
    done: (value) => {
      setMade(value);
      return undefined;
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 basis-80 gap-0.5 grow">
          <h3>Address for a mail provider</h3>
          <p className="max-w-[65ch] text-pretty text-ink-soft text-list">
            If a provider receives your email, it can post each message to this address, signed with a secret.
          </p>
        </div>
        {postedMail ? (
          <ConfirmDialog
            trigger={<Button>New address</Button>}
            title="Make a new address?"
            confirm="Make a new address"
            onConfirm={() => run()}
          >
            <p>
              The current address stops working at once. Emails do not arrive until your provider posts them
              to the new one.
            </p>
          </ConfirmDialog>
        ) : (
          <Button aria-busy={pending} onClick={() => start()}>
            {pending ? 'Making the address' : 'Make an address'}
          </Button>
        )}
      </div>
      {postedMail ? (
        <>
          <p className="text-list">
            {postedMail.lastReceivedAt ? (
              <>
                Receiving, last email <RelativeTime at={postedMail.lastReceivedAt} />
              </>
            ) : (
              'No email has arrived here yet'
            )}
          </p>
          <CopiedValues values={[{ label: 'Address', value: postedMail.address }]} />
        </>
      ) : null}
      <Dialog
        control={{ open: made !== null, onOpenChange: (open) => open || setMade(null) }}
        title="Address for a mail provider"
      >
        {made ? <Shown made={made} close={() => setMade(null)} /> : null}
      </Dialog>
    </div>
  );
}

function Shown({ made, close }: { made: Made; close: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-pretty text-list">
        Enter both in the settings of your provider. The secret is stored encrypted and not shown again.
      </p>
      <CopiedValues
        values={[
          { label: 'Address', value: made.address },
          { label: 'Secret', value: made.signingSecret },
        ]}
      />
      <Button variant="primary" onClick={close} className="justify-self-end">
        Done
      </Button>
    </div>
  );
}
