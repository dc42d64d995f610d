'use client';

import { useEffect, useState } from 'react';
import {
  changeName,
  changePassword,
  changeSignature,
  deleteAccount,
} from '#app/components/settings/account/actions.ts';
import { OwnPassword } from '#app/components/settings/account/own-password.tsx';
import { forgetTeammate } from '#app/components/shell/stored-threads.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextAreaField, TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { AccountView } from '#server/screens/settings/account-views.ts';

export function PasswordForm({ email }: { email: string }) {
  const [state, submit, pending] = useServerForm(changePassword);
  const form = useFormFocus(state);
  useEffect(() => {
    if (!state.done) return;
    toast.success('Password changed', { description: 'Other browsers are signed out.' });
  }, [state]);
  return (
    <form ref={form} action={submit} className="grid max-w-sm gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      {/* Password managers store a password under this address. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        state={state}
        name="password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
      />
      <TextField
        state={state}
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters. You stay signed in here and are signed out everywhere else."
        required
      />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Changing' : 'Change password'}
      </Button>
    </form>
  );
}

export function NameForm({ name }: { name: string }) {
  const [state, submit, pending] = useServerForm(changeName);
  const form = useFormFocus(state);
  useEffect(() => {
    if (state.done) toast.success('Name saved');
  }, [state]);
  return (
    <form ref={form} action={submit} className="grid max-w-sm gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <TextField
        state={state}
        name="name"
        label="Name"
        autoComplete="name"
        defaultValue={name}
        hint="Earlier messages keep your old name."
        required
      />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save name'}
      </Button>
    </form>
  );
}

type Props = { workspace: AccountView['workspaces'][number] };

export function SignatureForm({ workspace: { id, name, signature } }: Props) {
  const [state, submit, pending] = useFormAction(changeSignature.bind(null, id), () => {
    toast.success('Signature saved');
  });
  return (
    <ActionForm state={state} submit={submit} className="grid max-w-md gap-4">
      <TextAreaField
        state={state}
        name="signature"
        label={`Signature in ${name}`}
        hint="Added below the emails you write in this workspace. Leave it empty for none."
        rows={4}
        defaultValue={signature ?? ''}
      />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save signature'}
      </Button>
    </ActionForm>
  );
}

/** Deletes the account after a password and a confirmation. `effects` lists the consequences. */
export function DeleteForm({ email, effects }: { email: string; effects: string[] }) {
  const [state, setState] = useState<FormState>(INITIAL);
  const [isConfirming, setIsConfirming] = useState(false);
  const form = useFormFocus(state);
  const run = async () => {
    if (!form.current) return;
    const sent = new FormData(form.current);
    const outcome = await deleteAccount(sent).catch(notReached);
    setState(afterOutcome(state, outcome, { form: sent, fields: ['password'] }));
    if (!outcome.done) return;
    await forgetTeammate();
    // A full page load clears all data from memory.
    window.location.assign('/sign-in?after=deletion');
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        setIsConfirming(true);
      }}
      className="grid gap-4"
    >
      <div className="max-w-[65ch] text-ink-soft">
        <p>This can’t be undone.</p>
        <Effects effects={effects} />
      </div>
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <div className="max-w-sm">
        <OwnPassword state={state} required />
      </div>
      <Button type="submit" variant="danger" className="w-fit max-md:w-full">
        Delete account
      </Button>
      <ConfirmDialog
        control={{ open: isConfirming, onOpenChange: setIsConfirming }}
        title={`Delete the account ${email}?`}
        confirm="Delete account"
        onConfirm={run}
      >
        <Effects effects={effects} />
        <p>This can’t be undone.</p>
      </ConfirmDialog>
    </form>
  );
}

function Effects({ effects }: { effects: string[] }) {
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  );
}
