'use client';

import { useState } from 'react';
import { forgetDrafts } from '#app/components/composer/drafts.ts';
import { deleteAccount } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { afterOutcome, type FormState, INITIAL } from '#app/lib/form-state.ts';
import { notReached } from '#app/lib/outcome.ts';

/** Deletes the account with its password, after asking once more. `effects`: what ends, in sentences. */
export function DeleteForm({ email, effects }: { email: string; effects: string[] }) {
  const [state, setState] = useState<FormState>(INITIAL);
  const [asking, setAsking] = useState(false);
  const form = useFormFocus(state);
  const run = async () => {
    if (!form.current) return;
    const sent = new FormData(form.current);
    const outcome = await deleteAccount(sent).catch(notReached);
    setState(afterOutcome(state, outcome, { form: sent, fields: ['password'] }));
    if (!outcome.done) return;
    forgetDrafts();
    // A full load, so that nothing that was shown stays in memory.
    window.location.assign('/sign-in?after=deletion');
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        setAsking(true);
      }}
      className="grid gap-4"
    >
      <div className="max-w-[65ch] text-ink-soft">
        <p>This cannot be undone.</p>
        <Effects effects={effects} />
      </div>
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <div className="max-w-sm">
        <TextField
          state={state}
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      <Button type="submit" variant="danger" className="w-fit max-md:w-full">
        Delete account
      </Button>
      <ConfirmDialog
        control={{ open: asking, onOpenChange: setAsking }}
        title={`Delete the account ${email}?`}
        confirm="Delete account"
        onConfirm={run}
      >
        <Effects effects={effects} />
        <p>This cannot be undone.</p>
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
