'use client';

import { useState } from 'react';
import { saveSettings } from '#app/components/settings/workspace/actions.ts';
import type { GeneralSettings } from '#app/components/settings/workspace/changed-settings.ts';
import { SlaTargetField } from '#app/components/settings/workspace/sla-target-field.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-action.ts';

/** What is in the field of days when solved conversations begin to be closed. */
const DAYS_AT_FIRST = '14';

type Props = { shown: GeneralSettings; daysMax: number };

/** The name of the workspace and what it does automatically. Fields that were not touched are not sent. */
export function GeneralForm({ shown, daysMax }: Props) {
  const settings = {
    name: shown.name,
    assignOnReply: shown.assignOnReply,
    askForRating: shown.askForRating,
    closeSolvedAfterDays: shown.closeSolvedAfterDays,
    slaFirstResponseMinutes: shown.slaFirstResponseMinutes,
    slaResolutionMinutes: shown.slaResolutionMinutes,
  };
  const [state, submit, pending] = useFormAction(saveSettings.bind(null, settings), () =>
    toast.success('Settings saved'),
  );
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
      <Checkbox
        name="assignOnReply"
        label="Assign on reply"
        hint="A teammate who replies to an unassigned conversation becomes its assignee, also when a workflow replies for them."
        defaultChecked={shown.assignOnReply}
      />
      <Checkbox
        name="askForRating"
        label="Ask contacts for a rating"
        hint="A few minutes after a conversation is solved, the contact is asked for a rating where they wrote: once, by email or with a message. The web chat asks at once."
        defaultChecked={shown.askForRating}
      />
      <div className="grid gap-3">
        <Checkbox
          name="closes"
          label="Close solved conversations"
          hint="Conversations that stay solved are closed automatically. When the contact writes again, a new one starts."
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
              defaultValue={shown.closeSolvedAfterDays?.toString() ?? DAYS_AT_FIRST}
              autoComplete="off"
            />
          </div>
        ) : null}
      </div>
      <fieldset className="grid gap-4">
        <legend className="float-left font-medium text-list">SLA targets</legend>
        <p className="-mt-3 clear-both text-ink-soft text-list">
          Targets apply to conversations that start from now on. The assignee or team is notified when a
          target is missed. Leave a field empty for no target.
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
            hint="Until the conversation is solved; time pending does not count."
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
