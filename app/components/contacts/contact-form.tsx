'use client';

import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { saveContact } from '#app/components/contacts/actions.ts';
import { CompanyField, LanguageField } from '#app/components/contacts/contact-fields.tsx';
import { shownValues } from '#app/components/contacts/contact-values.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { contactPath, contactsPath } from '#app/lib/contacts-path.ts';
import type { Outcome, Refused } from '#app/lib/outcome.ts';
import { type CompanyChoices, contactLabel, type KnownContact } from '#server/screens/contacts/views.ts';

type Props = { contact: KnownContact | null; companies: CompanyChoices };

/** Creates a contact, or edits the given one, then opens its page. */
export function ContactForm(current: Props) {
  const router = useRouter();
  // A live refresh passes what a colleague saved, but the fields keep what they show, and saving compares with that.
  const [{ contact, companies }] = useState(current);
  const shown = shownValues(contact);
  const [owner, setOwner] = useState<{ id: string; name: string } | null>(null);
  const save = async (form: FormData): Promise<Outcome<{ id: string; name: string }>> => {
    if (current.contact && current.contact.id !== contact?.id) return mergedInto(current.contact);
    const outcome = await saveContact({ id: contact?.id ?? null, shown }, form);
    setOwner(null);
    // Only a typed language code can be invalid, so show the error at that field.
    if (!outcome.done) {
      const { language, ...others } = outcome.fields;
      return language ? { ...outcome, fields: { ...others, languageCode: language } } : outcome;
    }
    if (outcome.value.kind !== 'email_taken') return { done: true, value: outcome.value };
    const { sentence, owner } = outcome.value;
    setOwner(owner);
    return { done: false, problem: sentence, fields: { email: sentence } };
  };
  const [state, submit, pending] = useFormAction(save, ({ id, name }) => {
    toast.success(contact ? `${name} saved` : `${name} added`);
    // Replace the history entry, so that going back skips the submitted form.
    router.replace(contactPath(id));
  });
  return (
    <Card className="p-5 max-md:p-4">
      <ActionForm state={state} submit={submit} className="grid gap-5">
        <div className="grid gap-5 md:grid-cols-2">
          <div className="md:col-span-2">
            <TextField
              state={state}
              name="name"
              label="Name"
              hint="First and last name"
              dir="auto"
              defaultValue={shown.name}
              autoComplete="off"
              autoFocus={contact === null}
            />
          </div>
          <div className="grid content-start gap-1.5">
            <TextField
              state={state}
              name="email"
              label="Email"
              type="email"
              defaultValue={shown.email}
              autoComplete="off"
            />
            {owner ? <OwnerLink owner={owner} /> : null}
          </div>
          <TextField
            state={state}
            name="phone"
            label="Phone"
            type="tel"
            defaultValue={shown.phone}
            autoComplete="off"
          />
          <TextField state={state} name="city" label="City" defaultValue={shown.city} autoComplete="off" />
          <LanguageField state={state} shown={shown.language} />
          <div className="md:col-span-2">
            <CompanyField state={state} contact={contact} shown={shown.company} companies={companies} />
          </div>
        </div>
        <div className="flex gap-2 max-md:flex-col">
          <Button type="submit" variant="primary" aria-busy={pending}>
            {pending ? 'Saving' : contact ? 'Save' : 'Create contact'}
          </Button>
          <Link href={contact ? contactPath(contact.id) : contactsPath()} className={buttonClass('quiet')}>
            Cancel
          </Link>
        </div>
      </ActionForm>
    </Card>
  );
}

/** Refuses to write the values of a merged contact to the contact that remains. */
function mergedInto(contact: KnownContact): Refused {
  const name = contactLabel(contact);
  const problem = `This contact was merged into ${name}, and your changes were not saved. Reload the page to edit ${name}.`;
  return { done: false, problem, fields: {} };
}

/** Opens the contact that has the address in a new tab, so that the form keeps its input. */
function OwnerLink({ owner }: { owner: { id: string; name: string } }) {
  return (
    <Link
      href={contactPath(owner.id)}
      target="_blank"
      className="inline-flex w-fit items-center gap-1.5 font-medium text-accent-ink text-list [overflow-wrap:anywhere] hover:underline max-md:min-h-11"
    >
      Open {owner.name}
      <ExternalLink aria-hidden size={14} className="shrink-0" />
      <span className="sr-only">(in a new tab)</span>
    </Link>
  );
}
