'use client';

import { useState } from 'react';
import { createApiToken } from '#app/components/settings/developers/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { CopyButton } from '#app/components/ui/copy-button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { DevelopersView } from '#server/screens/settings/views.ts';

type Props = { abilities: DevelopersView['abilities'] };

/** Button and form to create an API token. Afterwards shows the token, once. */
export function CreateTokenDialog({ abilities }: Props) {
  const [open, setOpen] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    if (next) setToken(null);
  };
  return (
    <Dialog
      trigger={<Button variant="primary">Create API token</Button>}
      control={{ open, onOpenChange }}
      title={token === null ? 'Create API token' : 'Copy your API token'}
    >
      {(close) =>
        token === null ? (
          <TokenForm abilities={abilities} onCreated={setToken} close={close} />
        ) : (
          <NewToken token={token} close={close} />
        )
      }
    </Dialog>
  );
}

function TokenForm({
  abilities,
  onCreated,
  close,
}: Props & { onCreated: (token: string) => void; close: () => void }) {
  const [state, submit, pending] = useFormAction(createApiToken, ({ token }) => onCreated(token));
  return (
    <ActionForm state={state} submit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TextField
        state={state}
        name="label"
        label="Label"
        hint="Names the program, for example Warehouse sync. Its changes show this label."
        autoComplete="off"
      />
      <fieldset aria-describedby={state.fields.abilities ? 'abilities-problem' : undefined}>
        <legend className="pb-2 font-medium text-list">Abilities</legend>
        {/* An unchecked box is not submitted: this field lets a refusal name the abilities. */}
        <input type="hidden" name="abilities" value="" />
        <div className="grid gap-3">
          {abilities.map(({ value, label, hint }) => (
            <Checkbox
              key={value}
              name="abilities"
              value={value}
              label={label}
              hint={hint}
              aria-invalid={state.fields.abilities ? true : undefined}
            />
          ))}
          {state.fields.abilities ? (
            <FieldError id="abilities-problem">{state.fields.abilities}</FieldError>
          ) : null}
        </div>
      </fieldset>
      <TextField
        state={state}
        name="lastDay"
        label="Last day (optional)"
        hint="The token stops working at the end of this day, UTC. Without a date it works until it is revoked."
        type="date"
      />
      <FormFooter onCancel={close} submit="Create token" busy="Creating" pending={pending} />
    </ActionForm>
  );
}

/** Shows a new token. */
function NewToken({ token, close }: { token: string; close: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-ink-soft">
        This is the only time you can see it. Store it where your program reads its secrets.
      </p>
      <div className="flex items-center justify-between gap-2 rounded-lg border bg-canvas py-2 pr-1 pl-3">
        <code className="font-mono text-list [overflow-wrap:anywhere]">{token}</code>
        <CopyButton text={token} what="API token" />
      </div>
      <div className="flex justify-end max-md:grid">
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </div>
  );
}
