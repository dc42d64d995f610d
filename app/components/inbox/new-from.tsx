import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { useDebounced } from '#app/components/ui/use-debounced.ts';

/** Debounce of the lookup, in ms. */
const DEBOUNCE_MS = 200;

/** Selects the mailbox of a new conversation: at first the one last used with the contact. Hidden if there is one only. */
export function NewFrom({ email, problem }: { email: string; problem: string | undefined }) {
  const screens = useScreens();
  const address = useDebounced(email, DEBOUNCE_MS);
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: ['conversations.mailboxes', { email: address }],
    queryFn: ({ signal }) => screens.conversations.mailboxes.query({ email: address }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (!data || data.mailboxes.length < 2) return null;
  return (
    <Field label="From" problem={problem}>
      {({ id, describedBy, invalid }) => (
        <Select
          id={id}
          name="mailbox"
          aria-describedby={describedBy}
          aria-invalid={invalid}
          value={chosen ?? data.suggestedId ?? ''}
          onChange={({ target }) => setChosen(target.value)}
        >
          {data.mailboxes.map((mailbox) => (
            <option key={mailbox.id} value={mailbox.id}>
              {mailbox.address}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
