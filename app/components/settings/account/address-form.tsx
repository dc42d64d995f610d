'use client';

import { changeAddress } from '#app/components/settings/account/actions.ts';
import { OwnPassword } from '#app/components/settings/account/own-password.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';

/** Requests another address for the account. */
export function AddressForm({ email }: { email: string }) {
  const [state, submit, pending] = useServerForm(changeAddress);
  const form = useFormFocus(state);
  return (
    <form ref={form} action={submit} className="grid max-w-sm gap-4">
      <p className="text-ink-soft [overflow-wrap:anywhere]">You sign in with {email}.</p>
      {state.value ? (
        <p role="status" className="[overflow-wrap:anywhere]">
          We’ve sent a link to {state.value.email}. Your address changes once you open it, within a day.
        </p>
      ) : null}
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <TextField
        state={state}
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        hint="Both addresses get an email. The current one can undo the change for seven days."
        required
      />
      <OwnPassword state={state} required />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Sending' : 'Send link'}
      </Button>
    </form>
  );
}
