'use client';

import { useActionState } from 'react';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { CardHeader } from '#app/components/ui/card.tsx';
import { confirmAddress } from '#app/components/verify/actions.ts';
import { INITIAL } from '#app/lib/form-state.ts';

type Props = { token: string; workspaceName: string; email: string };

/** Asks the owner of an address whether they wrote. A plain form that works without JavaScript. */
export function VerifyForm({ token, workspaceName, email }: Props) {
  const [state, submit, pending] = useActionState(confirmAddress, INITIAL);
  if (state.value) {
    return (
      <CardHeader title="Address confirmed">
        <p role="status">{`${workspaceName} now knows that you have ${email}. You can close this page.`}</p>
      </CardHeader>
    );
  }
  return (
    <>
      <CardHeader title="Did you write this?">
        <p>{`Someone wrote to ${workspaceName} and said that their address is ${email}.`}</p>
      </CardHeader>
      <form action={submit} className="grid gap-4">
        {/* A hidden field, not a bound argument: Next.js does not handle bound actions without JavaScript. */}
        <input type="hidden" name="token" value={token} />
        {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
        <p className="text-center text-ink-soft">
          Confirm only if it was you. Otherwise someone else could pass as you. If it wasn’t you, close this
          page.
        </p>
        <Button type="submit" variant="primary" aria-busy={pending} className="w-full">
          {pending ? 'Confirming' : 'Yes, it was me'}
        </Button>
      </form>
    </>
  );
}
