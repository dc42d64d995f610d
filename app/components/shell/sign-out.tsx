'use client';

import { useTransition } from 'react';
import { signOut } from '#app/components/shell/actions.ts';
import { forgetTeammate } from '#app/components/shell/stored-threads.tsx';
import { Button } from '#app/components/ui/button.tsx';

/** Sign-out button for pages without a user menu. `goTo` defaults to the sign-in page. */
export function SignOutButton({ goTo }: { goTo?: string }) {
  const { pending, run } = useSignOut(goTo);
  return (
    <Button onClick={run} disabled={pending} aria-busy={pending}>
      Sign out
    </Button>
  );
}

/** Signs out, removes drafts and stored conversations from this browser and opens `goTo`, a page that needs no session. */
export function useSignOut(goTo = '/sign-in'): { pending: boolean; run: () => void } {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const outcome = await signOut();
      // Still signed in: show the error, so that the page does not look signed out.
      if (!outcome.done) throw new Error(outcome.problem);
      await forgetTeammate();
      window.location.assign(goTo);
    });
  return { pending, run };
}
