'use client';

import { useTransition } from 'react';
import { forgetDrafts } from '#app/components/composer/drafts.ts';
import { signOut } from '#app/components/shell/actions.ts';

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
