'use client';

import { useEffect, useState } from 'react';
import {
  type SuggestedContact,
  suggestContacts,
} from '#app/components/inbox/new-conversation/suggest-contacts.ts';
import { Combobox } from '#app/components/ui/combobox.tsx';
import { Field } from '#app/components/ui/field.tsx';

/** Whoever types is waited for so long before contacts are looked for. */
const PAUSE_MS = 200;

type Recipient = { email: string; name: string };
type Props = { to: Recipient; onTo: (to: Recipient) => void; problem: string | undefined };

/** The address to write to, with contacts whom what was typed fits. */
export function RecipientField({ to, onTo, problem }: Props) {
  const [found, setFound] = useState<SuggestedContact[]>([]);
  const { email } = to;
  useEffect(() => {
    let isLate = false;
    const look = async () => {
      const contacts = email.trim() === '' ? [] : await suggestContacts(email).catch(() => []);
      if (!isLate) setFound(contacts);
    };
    const timer = setTimeout(look, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [email]);
  const isChosen = found.some((contact) => contact.email === email);
  return (
    <Field label="To" problem={problem}>
      {({ id, describedBy, invalid }) => (
        <Combobox
          id={id}
          name="to_email"
          type="email"
          inputMode="email"
          spellCheck={false}
          placeholder="Email address or contact name"
          aria-describedby={describedBy}
          aria-invalid={invalid}
          value={email}
          onText={(text) => onTo({ ...to, email: text })}
          options={
            isChosen
              ? []
              : found.map((contact) => ({
                  key: contact.email,
                  label: contact.name ?? contact.email,
                  hint: contact.name ? contact.email : undefined,
                }))
          }
          optionsLabel="Contacts"
          onChoose={({ key }) =>
            onTo({ email: key, name: found.find((one) => one.email === key)?.name ?? '' })
          }
        />
      )}
    </Field>
  );
}
