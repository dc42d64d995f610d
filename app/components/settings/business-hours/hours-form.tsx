'use client';

import { useState } from 'react';
import { saveHours } from '#app/components/settings/business-hours/actions.ts';
import { HolidayFields } from '#app/components/settings/business-hours/holiday-fields.tsx';
import { draftOf, hoursOf } from '#app/components/settings/business-hours/hours-draft.ts';
import { WeekFields } from '#app/components/settings/business-hours/week-fields.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { browserTimeZone } from '#app/lib/browser-time-zone.ts';
import type { BusinessHours } from '#server/screens/settings/views.ts';

type Props = {
  /** Null: the workspace. */
  teamId: string | null;
  hours: BusinessHours | null;
  timeZones: string[];
  onSaved?: () => void;
};

/** Opening times of each weekday, holidays and their time zone. */
export function HoursForm({ teamId, hours, timeZones, onSaved }: Props) {
  const [hasHours, setHasHours] = useState(hours !== null);
  const [draft, setDraft] = useState(() => draftOf(hours));
  const choose = (own: boolean) => {
    setHasHours(own);
    if (own && !hours) setDraft({ ...draft, timeZone: browserTimeZone() });
  };
  const save = () => saveHours(teamId, hasHours ? hoursOf(draft) : null);
  const [state, submit, pending] = useFormAction(save, () => {
    toast.success('Business hours saved', {
      description: 'Due times of open conversations follow within a minute.',
    });
    onSaved?.();
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          state={state}
          name="week"
          label="Hours"
          value={hasHours ? 'own' : 'none'}
          onChange={({ currentTarget }) => choose(currentTarget.value === 'own')}
        >
          <option value="none">{teamId === null ? 'Always open' : 'Same as the workspace'}</option>
          <option value="own">{teamId === null ? 'Open at certain times' : 'Own hours'}</option>
        </SelectField>
        {hasHours ? (
          <SelectField
            state={state}
            name="timeZone"
            label="Time zone"
            value={draft.timeZone}
            onChange={({ currentTarget }) => setDraft({ ...draft, timeZone: currentTarget.value })}
          >
            {[...new Set([draft.timeZone, ...timeZones])].map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </SelectField>
        ) : null}
      </div>
      {hasHours ? (
        <>
          <WeekFields
            week={draft.week}
            problems={state.fields}
            onChange={(week) => setDraft({ ...draft, week })}
          />
          <HolidayFields
            holidays={draft.holidays}
            problem={state.fields.holidays}
            onChange={(holidays) => setDraft({ ...draft, holidays })}
          />
        </>
      ) : null}
      <Button type="submit" variant="primary" aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save hours'}
      </Button>
    </ActionForm>
  );
}
