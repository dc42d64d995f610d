'use client';

import { signOutByForm } from '#app/components/shell/actions.ts';
import { useSignOut } from '#app/components/shell/use-sign-out.ts';
import { Button } from '#app/components/ui/button.tsx';

type Props = { goTo?: string; label?: string };

/** Sign-out button for pages without a user menu, which also works without JavaScript. `goTo` defaults to the sign-in page. */
export function SignOutButton({ goTo = '/sign-in', label = 'Sign out' }: Props) {
  const { pending, run } = useSignOut(goTo);
  return (
    <form
      action={signOutByForm}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
      className="grid"
    >
      <input type="hidden" name="goTo" value={goTo} />
      <Button type="submit" disabled={pending} aria-busy={pending}>
        {label}
      </Button>
    </form>
  );
}
