'use client';

import { useActionState } from 'react';
import { accept } from '#app/components/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { INITIAL } from '#app/lib/form-state.ts';

/** Accepts an invitation as the teammate who is signed in. */
export function AcceptForm({ token, workspaceName }: { token: string; workspaceName: string }) {
  const [state, submit, pending] = useActionState(accept, INITIAL);
  return (
    <form action={submit} className="grid gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="w-full">
        {pending ? 'Joining' : <span className="truncate">Join {workspaceName}</span>}
      </Button>
    </form>
  );
}
