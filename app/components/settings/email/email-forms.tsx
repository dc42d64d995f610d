'use client';

import { addForm, removeForm } from '#app/components/settings/email/actions.ts';
import { AddForm } from '#app/components/ui/add-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { Section } from '#app/components/ui/section.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import type { EmailSettingsView } from '#server/screens/settings/channel-views.ts';

/** Senders that are contact forms of a website. */
export function EmailForms({ forms }: Pick<EmailSettingsView, 'forms'>) {
  return (
    <Section
      id="email-forms"
      title="Contact forms"
      about="If your website sends its contact form from one address, add that address. Each email then starts a conversation with the person in Reply-To."
    >
      {forms.length > 0 ? (
        <ul aria-labelledby="email-forms" className="divide-y">
          {forms.map(({ id, address }) => (
            <li key={id} className="flex min-h-11 items-center justify-between gap-4 px-5 py-1.5">
              <bdi className="min-w-0 [overflow-wrap:anywhere]">{address}</bdi>
              <RemoveButton id={id} address={address} />
            </li>
          ))}
        </ul>
      ) : null}
      <AddForm
        add={addForm}
        onAdded={({ address }) => toast.success(`${address} added`)}
        title="Add a contact form"
        name="form"
        label="Address that sends the form"
        placeholder="web@example.com"
        button={{ label: 'Add form', busy: 'Adding' }}
      />
      <FocusWhenLost on={forms.length} goTo="email-forms" />
    </Section>
  );
}

function RemoveButton({ id, address }: { id: string; address: string }) {
  const { pending, start } = useAction(removeForm, {
    failed: `Could not remove ${address}`,
    done: `${address} removed`,
  });
  return (
    <Button variant="quiet" aria-label={`Remove ${address}`} aria-busy={pending} onClick={() => start(id)}>
      Remove
    </Button>
  );
}
