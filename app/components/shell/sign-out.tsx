'use client';

import { useEffect, useTransition } from 'react';
import { forgetDrafts, lastSignOut, SIGN_OUT_KEY } from '#app/components/composer/drafts.ts';
import { signOut } from '#app/components/shell/actions.ts';
import { Button } from '#app/components/ui/button.tsx';

/** Signs out, where there is no user menu. `goTo`: the page to show then, else the sign-in page. */
export function SignOutButton({ goTo }: { goTo?: string }) {
  const { pending, run } = useSignOut(goTo);
  return (
    <Button onClick={run} disabled={pending} aria-busy={pending}>
      Sign out
    </Button>
  );
}

/** Signs out, removes what was typed and not sent from this browser, and shows the sign-in page, or another one that needs no session. */
export function useSignOut(goTo = '/sign-in'): { pending: boolean; run: () => void } {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const outcome = await signOut();
      // Still signed in: the page must not look as if not.
      if (!outcome.done) throw new Error(outcome.problem);
      forgetDrafts();
      window.location.assign(goTo);
    });
  return { pending, run };
}

/**
 * Leaves the page when its teammate signs out in another tab, so that nothing of theirs stays on the screen for the next
 * person; also a page that slept meanwhile. Shows nothing.
 */
export function FollowSignOut() {
  useEffect(() => {
    const before = lastSignOut();
    // A full load, so that nothing that was shown stays in memory.
    const leave = () => window.location.replace('/sign-in');
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SIGN_OUT_KEY) leave();
    };
    const onShow = () => {
      if (lastSignOut() !== before) leave();
    };
    window.addEventListener('storage', onStorage);
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pageshow', onShow);
    };
  }, []);
  return null;
}
