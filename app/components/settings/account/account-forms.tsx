'use client';

import { useActionState, useEffect } from 'react';
import { changePassword } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { INITIAL } from '#app/lib/form-state.ts';

/** Changes the teammate's own password. */
export function PasswordForm({ email }: { email: string }) {
  const [state, submit, pending] = useActionState(changePassword, INITIAL);
  const form = useFormFocus(state);
  useEffect(() => {
    if (!state.done) return;
    toast.success('Password changed', { description: 'Other browsers are signed out.' });
  }, [state]);
  return (
    <form ref={form} action={submit} className="grid max-w-sm gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      {/* For password managers, which keep a password under its address. */}
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
