'use client';

import Link from 'next/link';
import { NewLinkButton } from '#app/components/account/new-link-button.tsx';
import { requestReset, resetPassword } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';

/** Requests a password reset link. The response is identical for every address, known or unknown. */
export function ForgotPasswordForm({ serviceName }: { serviceName: string }) {
  const [state, submit, pending] = useServerForm(requestReset);
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
            If there is an account for {state.value.email}, we’ve sent a link to choose a new password. It
            works once and expires in an hour. If nothing arrives, check the address and your spam folder. A
            link from the last hour still works.
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
          {pending ? 'Sending' : 'Send link'}
        </Button>
      </form>
      {back}
    </>
  );
}

/** Sets a new password. When the link no longer works, offers to request a new one. */
export function ResetPasswordForm({ token }: { token: string }) {
  const [state, submit, pending] = useServerForm(resetPassword);
  const form = useFormFocus(state);
  const { token: linkProblem } = state.fields;
  if (linkProblem) {
    return (
      <>
        <Alert>{linkProblem}</Alert>
        <NewLinkButton />
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
