'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { createWebhook, updateWebhook } from '#app/components/settings/developers/webhook-actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { SelectField } from '#app/components/ui/select-field.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { WebhooksView, WebhookView } from '#server/screens/settings/views.ts';

type Props = { choices: WebhooksView['choices']; endpoint?: WebhookView['endpoint'] };

/** Button and form to create a webhook endpoint, which it then opens, or to change one. */
export function WebhookDialog({ choices, endpoint }: Props) {
  return (
    <Dialog
      trigger={endpoint ? <Button>Edit</Button> : <Button>Create webhook</Button>}
      title={endpoint ? 'Edit webhook' : 'Create webhook'}
      wide
    >
      {(close) => <WebhookForm choices={choices} endpoint={endpoint} close={close} />}
    </Dialog>
  );
}

function WebhookForm({
  choices: { events, tokens },
  endpoint,
  close,
}: {
  choices: Props['choices'];
  endpoint: Props['endpoint'];
  close: () => void;
}) {
  const router = useRouter();
  const save = (form: FormData) => (endpoint ? updateWebhook(endpoint.id, form) : createWebhook(form));
  const [state, submit, pending] = useFormAction(save, ({ id }) => {
    close();
    if (!endpoint) router.push(`/settings/developers/webhooks/${id}`);
  });
  const chosen: readonly string[] = endpoint?.events ?? [];
  const [isAll, setIsAll] = useState(chosen.includes('*'));
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TextField
        state={state}
        name="url"
        label="URL"
        hint="An https address in the public internet."
        placeholder="https://example.com/webhooks"
        defaultValue={endpoint?.url}
        autoComplete="off"
        inputMode="url"
      />
      <TextField
        state={state}
        name="description"
        label="Description (optional)"
        defaultValue={endpoint?.description}
        autoComplete="off"
      />
      <fieldset aria-describedby={state.fields.events ? 'events-problem' : undefined}>
        <legend className="pb-2 font-medium text-list">Events</legend>
        {/* An unchecked box is not submitted: this field lets a refusal name the events. */}
        <input type="hidden" name="events" value="" />
        <Checkbox
          name="events"
          value="*"
          label="All events"
          hint="Also events that are added later."
          checked={isAll}
          onChange={({ currentTarget }) => setIsAll(currentTarget.checked)}
        />
        <div className="grid gap-x-6 gap-y-2 pt-3 empty:hidden sm:grid-cols-2">
          {(isAll ? [] : events).map((key) => (
            <label key={key} className="flex items-center gap-2.5 font-mono text-xs max-md:min-h-8">
              <input
                type="checkbox"
                name="events"
                value={key}
                defaultChecked={chosen.includes(key)}
                aria-invalid={state.fields.events ? true : undefined}
                className="size-4 accent-accent max-md:size-5"
              />
              {key}
            </label>
          ))}
        </div>
        {state.fields.events ? (
          <div className="pt-2">
            <FieldError id="events-problem">{state.fields.events}</FieldError>
          </div>
        ) : null}
      </fieldset>
      {tokens.length > 0 ? (
        <SelectField
          state={state}
          name="skipsTokenId"
          label="Leave out changes made by"
          hint="Choose the token of the program that receives the events, so that it doesn’t get its own changes."
          defaultValue={endpoint?.skipsTokenId ?? ''}
        >
          <option value="">No token, send all events</option>
          {tokens.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      ) : null}
      <FormFooter
        onCancel={close}
        submit={endpoint ? 'Save' : 'Create webhook'}
        busy={endpoint ? 'Saving' : 'Creating'}
        pending={pending}
      />
    </ActionForm>
  );
}
