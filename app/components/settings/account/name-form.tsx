'use client';

import { useActionState, useEffect } from 'react';
import { changeName } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { INITIAL } from '#app/lib/form-state.ts';

/** Changes the teammate's own name. Their address is shown beside it and stays. */
export function NameForm({ name, email }: { name: string; email: string }) {
  const [state, submit, pending] = useActionState(changeName, INITIAL);
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
      <dl className="grid gap-0.5 text-list">
        <dt className="font-medium">Email</dt>
        <dd className="text-ink-soft [overflow-wrap:anywhere]">
          {email}. You sign in with it, and it cannot be changed.
        </dd>
      </dl>
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save name'}
      </Button>
    </form>
  );
}
