'use client';

import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import { confirmAddress } from '#app/components/verify/actions.ts';

/** `found`: what the link confirms, or null when it has expired or was used. */
type Props = { token: string; found: { workspaceName: string; email: string } | null };

/**
 * Asks the owner of an address whether they wrote. A plain form that works without JavaScript: the page then loads again,
 * with a link that the form has used.
 */
export function VerifyForm({ token, found }: Props) {
  const [state, submit, pending] = useServerForm(confirmAddress);
  if (state.value) {
    return (
      <CardHeader title="Address confirmed">
        <p role="status">{`You confirmed that ${state.value.email} is your address. You can close this page.`}</p>
      </CardHeader>
    );
  }
  if (!found) {
    return (
      <CardHeader title="This link does not work">
        It has expired, was used before or is incomplete.
      </CardHeader>
    );
  }
  return (
    <>
      <CardHeader title="Did you write this?">
        <p>{`Someone wrote to ${found.workspaceName} and said that their address is ${found.email}.`}</p>
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
