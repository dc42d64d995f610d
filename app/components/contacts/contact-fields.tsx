'use client';

import { useState } from 'react';
import {
  COMPANY_BY_EMAIL,
  NEW_COMPANY,
  NO_COMPANY,
  OTHER_LANGUAGE,
} from '#app/components/contacts/contact-values.ts';
import { languageChoices } from '#app/components/contacts/languages.ts';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import type { FormState } from '#app/lib/form-state.ts';
import type { CompanyChoices, KnownContact } from '#server/screens/contacts/views.ts';

type Props = {
  state: FormState;
  /** Null for a new contact, whose company may follow from the email address. */
  contact: KnownContact | null;
  shown: string;
  companies: CompanyChoices;
};

/** Selects an existing company, a new one, or none. */
export function CompanyField({ state, contact, shown, companies }: Props) {
  const [choice, setChoice] = useState(shown);
  const own = contact?.company;
  const choices =
    own && !companies.rows.some(({ id }) => id === own.id) ? [own, ...companies.rows] : companies.rows;
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <SelectField
        state={state}
        name="company"
        label="Company"
        hint={
          choice === COMPANY_BY_EMAIL
            ? 'Keep this to match the email domain, or choose a company.'
            : undefined
        }
        value={choice}
        onChange={({ currentTarget }) => setChoice(currentTarget.value)}
      >
        {contact ? null : <option value={COMPANY_BY_EMAIL}>Match by email domain</option>}
        <option value={NO_COMPANY}>No company</option>
        {choices.length > 0 ? (
          <optgroup label="Companies">
            {choices.map((company) => (
              <option key={company.id} value={company.id}>
                {company.name}
              </option>
            ))}
          </optgroup>
        ) : null}
        <option value={NEW_COMPANY}>{companies.areAll ? 'New company…' : 'Another or new company…'}</option>
      </SelectField>
      {choice === NEW_COMPANY ? (
        <TextField
          state={state}
          name="companyName"
          label="Company name"
          hint="An existing company with this name is reused."
          autoComplete="off"
        />
      ) : null}
    </div>
  );
}

/** Selects a common language, or takes any language code. `shown` is the contact's code or an empty string. */
export function LanguageField({ state, shown }: { state: FormState; shown: string }) {
  const [choice, setChoice] = useState(shown);
  return (
    <div className="grid content-start gap-3">
      <SelectField
        state={state}
        name="language"
        label="Language"
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
      </SelectField>
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
