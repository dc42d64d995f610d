'use client';

import { useState } from 'react';
import { CopiedValues, FoldedValues } from '#app/components/settings/channels/copied-values.tsx';
import { connectPostedMail } from '#app/components/settings/email/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { EmailSettingsView } from '#server/screens/settings/channel-views.ts';

type Created = { address: string; signingSecret: string };

/** Address to which a mail provider posts incoming email. The secret is shown once. */
export function PostedMail({ postedMail }: Pick<EmailSettingsView, 'postedMail'>) {
  const [created, setCreated] = useState<Created | null>(null);
  const { run, start, pending } = useAction(connectPostedMail, {
    failed: 'Could not create the address',
    done: (value) => {
      setCreated(value);
      return undefined;
    },
  });
  return (
    <Section
      id="posted-email"
      title="Posted email"
      about="If another provider receives your email, have it post each message to this address over HTTPS."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 py-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-list">
            {postedMail === null ? (
              <span className="text-ink-soft">No address yet</span>
            ) : postedMail.lastReceivedAt ? (
              <StatusDot tone="good" wrap>
                <span>
                  Receiving, last email <RelativeTime at={postedMail.lastReceivedAt} />
                </span>
              </StatusDot>
            ) : (
              <StatusDot tone="quiet">No email received yet</StatusDot>
            )}
          </p>
          {postedMail ? (
            <ConfirmDialog
              trigger={<Button>New address</Button>}
              title="Create a new address?"
              confirm="Create new address"
              onConfirm={() => run()}
            >
              <p>
                The current address stops working immediately. No emails arrive until your provider posts to
                the new address.
              </p>
            </ConfirmDialog>
          ) : (
            <Button aria-busy={pending} onClick={() => start()}>
              {pending ? 'Creating address' : 'Create address'}
            </Button>
          )}
        </div>
        {postedMail ? (
          <FoldedValues
            title="Address"
            open={postedMail.lastReceivedAt === null}
            values={[{ label: 'Address', value: postedMail.address }]}
          />
        ) : null}
      </div>
      <Dialog
        control={{ open: created !== null, onOpenChange: (open) => open || setCreated(null) }}
        title="Address for a mail provider"
      >
        {created ? <CreatedAddress created={created} close={() => setCreated(null)} /> : null}
      </Dialog>
    </Section>
  );
}

function CreatedAddress({ created, close }: { created: Created; close: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-pretty text-list">
        Enter both in your provider’s settings. The secret is stored encrypted and won’t be shown again.
      </p>
      <CopiedValues
        values={[
          { label: 'Address', value: created.address },
          { label: 'Secret', value: created.signingSecret },
        ]}
      />
      <Button variant="primary" onClick={close} className="justify-self-end">
        Done
      </Button>
    </div>
  );
}
