'use client';

import { useState } from 'react';
import { OTHER_LANGUAGE } from '#app/components/contacts/contact-values.ts';
import { languageChoices } from '#app/components/contacts/languages.ts';
import { Field } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import type { FormState } from '#app/lib/form-state.ts';

/** A common language from a list, or any by its code. `shown`: the contact's code, or the empty text. */
export function LanguageField({ state, shown }: { state: FormState; shown: string }) {
  const [choice, setChoice] = useState(shown);
  return (
    <div className="grid content-start gap-3">
      <Field label="Language">
        {({ id }) => (
          <Select
            id={id}
            name="language"
            value={choice}
            onChange={({ currentTarget }) => setChoice(currentTarget.value)}
          >
            <option value="">Unknown</option>
            {languageChoices(shown).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
            <option value={OTHER_LANGUAGE}>Another language…</option>
          </Select>
        )}
      </Field>
      {choice === OTHER_LANGUAGE ? (
        <TextField
          state={state}
          name="languageCode"
          label="Language code"
          hint="For example, fr-CA for Canadian French"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : null}
    </div>
  );
}
