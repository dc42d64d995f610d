'use client';

import { useActionState } from 'react';
import { AskAgain } from '#app/components/account/ask-again.tsx';
import { resetPassword } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { INITIAL } from '#app/lib/form-state.ts';

/** Sets a new password; for a link that no longer works it shows the way to a new one. */
export function ResetPasswordForm({ token }: { token: string }) {
  const [state, submit, pending] = useActionState(resetPassword, INITIAL);
  const form = useFormFocus(state);
  const { token: linkProblem } = state.fields;
  if (linkProblem) {
    return (
      <>
        <Alert>{linkProblem}</Alert>
        <AskAgain />
      </>
    );
  }
  return (
    <form ref={form} action={submit} className="grid gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="token" value={token} />
      <TextField
        state={state}
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters."
        required
      />
      <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="mt-1 w-full">
        {pending ? 'Saving' : 'Save password'}
      </Button>
    </form>
  );
}
