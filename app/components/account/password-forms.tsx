'use client';

import Link from 'next/link';
import { useActionState } from 'react';
import { AskAgain } from '#app/components/account/ask-again.tsx';
import { askForReset, resetPassword } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { CardHeader } from '#app/components/ui/card.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { INITIAL } from '#app/lib/form-state.ts';

/** Asks for the address to which a link to a new password is mailed. The response is the same for every address. */
export function ForgotPasswordForm({ serviceName }: { serviceName: string }) {
  const [state, submit, pending] = useActionState(askForReset, INITIAL);
  const form = useFormFocus(state);
  const back = (
    <Link href="/sign-in" className="justify-self-center font-medium text-accent-ink hover:underline">
      Back to sign-in
    </Link>
  );
  if (state.value) {
    return (
      <>
        <div role="status">
          <CardHeader title="Check your email">
            If there is an account for {state.value.email}, a link to choose a new password is on its way. It
            can be used once, within an hour. If nothing arrives, check your spam folder, look for a link from
            the last hour, which still works, or check the address.
          </CardHeader>
        </div>
        {back}
      </>
    );
  }
  return (
    <>
      <CardHeader title="Forgot your password?">
        Enter the address you sign in with to {serviceName}. We will send you a link to choose a new password.
      </CardHeader>
      <form ref={form} action={submit} className="grid gap-4">
        {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
        <TextField state={state} name="email" label="Email" type="email" autoComplete="username" required />
        <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="w-full">
          {pending ? 'Sending' : 'Send the link'}
        </Button>
      </form>
      {back}
    </>
  );
}

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
