'use client';

import Link from 'next/link';
import { useState } from 'react';
import { saveSettings } from '#app/components/settings/workspace/actions.ts';
import type { GeneralSettings } from '#app/components/settings/workspace/changed-settings.ts';
import { toFormTarget } from '#app/components/settings/workspace/sla-target.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { FormState } from '#app/lib/form-state.ts';
import type { Country } from '#server/screens/settings/views.ts';

/** Initial value of the days field. */
const DEFAULT_DAYS = '14';

type Props = {
  settings: GeneralSettings;
  daysMax: number;
  countries: Country[];
  languages: { code: string; name: string }[];
};

/** Name and automation settings of the workspace. Submits changed fields only. */
export function GeneralForm({ settings, daysMax, countries, languages }: Props) {
  // A live refresh passes what a colleague saved, but the fields keep what they show, and saving compares with that.
  const [shown, setShown] = useState<GeneralSettings>(() => ({
    name: settings.name,
    assignOnReply: settings.assignOnReply,
    askForRating: settings.askForRating,
    closeSolvedAfterDays: settings.closeSolvedAfterDays,
    slaFirstResponseMinutes: settings.slaFirstResponseMinutes,
    slaResolutionMinutes: settings.slaResolutionMinutes,
    country: settings.country,
    searchLanguage: settings.searchLanguage,
  }));
  const [state, submit, pending] = useFormAction(saveSettings.bind(null, shown), (saved) => {
    setShown(saved);
    toast.success('Settings saved');
  });
  const [language, setLanguage] = useState(shown.searchLanguage);
  const [country, setCountry] = useState(shown.country ?? '');
  const [closes, setCloses] = useState(shown.closeSolvedAfterDays !== null);
  return (
    <ActionForm state={state} submit={submit} className="grid gap-5 p-5">
      <div className="max-w-sm">
        <TextField
          state={state}
          name="name"
          label="Workspace name"
          defaultValue={shown.name}
          autoComplete="off"
        />
      </div>
      <div className="max-w-sm">
        <SelectField
          state={state}
          name="country"
          label="Country"
          hint="Phone numbers without a country code are read as numbers of this country."
          value={country}
          onChange={({ currentTarget }) => setCountry(currentTarget.value)}
        >
          {shown.country === null ? <option value="">Not chosen</option> : null}
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="max-w-sm">
        <SelectField
          state={state}
          name="searchLanguage"
          label="Language of messages"
          hint="Search also finds other forms of a word: “refund” finds “refunded”. Messages in other languages are found by the words as written."
          value={language}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
        >
          {languages.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <Checkbox
        name="assignOnReply"
        label="Assign on reply"
        hint="A teammate who replies to an unassigned conversation becomes its assignee, including when a workflow replies on their behalf."
        defaultChecked={shown.assignOnReply}
      />
      <Checkbox
        name="askForRating"
        label="Ask contacts for a rating"
        hint="Asks once per conversation on the contact’s channel, a few minutes after it is solved. The web chat asks immediately. Contacts whose address is not verified are not asked."
        defaultChecked={shown.askForRating}
      />
      <div className="grid gap-3">
        <Checkbox
          name="closes"
          label="Close solved conversations"
          hint="Closes conversations that stay solved. A new message from the contact then starts a new conversation."
          checked={closes}
          onChange={({ currentTarget }) => setCloses(currentTarget.checked)}
        />
        {closes ? (
          <div className="w-40 pl-6.5">
            <TextField
              state={state}
              name="closeSolvedAfterDays"
              label="After (days)"
              type="number"
              min={1}
              max={daysMax}
              defaultValue={shown.closeSolvedAfterDays?.toString() ?? DEFAULT_DAYS}
              autoComplete="off"
            />
          </div>
        ) : null}
      </div>
      <fieldset className="grid gap-4">
        <legend className="float-left font-medium text-list">SLA targets</legend>
        <p className="-mt-3 clear-both text-ink-soft text-list">
          Targets apply to new conversations and count{' '}
          <Link href="/settings/business-hours" className="text-accent-ink underline underline-offset-2">
            business hours
          </Link>{' '}
          only. The assignee or team is notified when a target is missed. Leave a field empty for no target.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <SlaTargetField
            state={state}
            name="slaFirstResponseMinutes"
            label="First response within"
            hint="Until a teammate first replies."
            minutes={shown.slaFirstResponseMinutes}
          />
          <SlaTargetField
            state={state}
            name="slaResolutionMinutes"
            label="Resolution within"
            hint="Until the conversation is solved, excluding time pending."
            minutes={shown.slaResolutionMinutes}
          />
        </div>
      </fieldset>
      <Button type="submit" variant="primary" aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save'}
      </Button>
    </ActionForm>
  );
}

type SlaTargetFieldProps = {
  state: FormState;
  name: string;
  label: string;
  hint: string;
  minutes: number | null;
};

/** An SLA target as a number and a unit, which is posted as `<name>Unit`. Empty means no target. */
function SlaTargetField({ state, name, label, hint, minutes }: SlaTargetFieldProps) {
  const shown = toFormTarget(minutes);
  return (
    <Field label={label} hint={hint} problem={state.fields[name]}>
      {(control) => (
        <span className="flex gap-2">
          <span className="w-24 shrink-0">
            <Input
              key={state.attempt}
              {...fieldProps(control, { state, name, defaultValue: shown.amount })}
              type="number"
              min={1}
              autoComplete="off"
            />
          </span>
          <span className="w-32">
            <Select
              key={state.attempt}
              name={`${name}Unit`}
              aria-label={`${label}: minutes or hours`}
              defaultValue={state.values[`${name}Unit`] ?? shown.unit}
            >
              <option value="minutes">minutes</option>
              <option value="hours">hours</option>
            </Select>
          </span>
        </span>
      )}
    </Field>
  );
}
