'use client';

import { useActionState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { ProblemNotice } from '#app/components/ui/problem-notice.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useFormFocus } from '#app/components/ui/use-form-focus.ts';
import { UNTOUCHED } from '#app/lib/form-state.ts';
import { AskAnew } from '#app/reset-password/ask-anew.tsx';
import { resetPassword } from '#app/reset-password/reset-password.ts';

/** Sets a new password; a link that works no longer is told with the way to a new one. */
export function ResetPasswordForm({ token }: { token: string }) {
  const [state, submit, pending] = useActionState(resetPassword, UNTOUCHED);
  const form = useFormFocus(state);
  const { token: linkProblem } = state.fields;
  if (linkProblem) {
    return (
      <>
        <ProblemNotice>{linkProblem}</ProblemNotice>
        <AskAnew />
      </>
    );
  }
  return (
    <form ref={form} action={submit} className="grid gap-4">
      {state.problem ? <ProblemNotice key={state.attempt}>{state.problem}</ProblemNotice> : null}
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
      <Button type="submit" kind="primary" disabled={pending} aria-busy={pending} className="mt-1 w-full">
        {pending ? 'Saving' : 'Save the password'}
      </Button>
    </form>
  );
}
