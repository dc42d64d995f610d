'use client';

import { useTransition } from 'react';
import { signOut } from '#app/components/shell/actions.ts';
import { forgetTeammate } from '#app/components/shell/stored-threads.tsx';

/** Signs out, removes drafts and stored conversations from this browser and opens `goTo`, a page that needs no session. */
export function useSignOut(goTo = '/sign-in'): { pending: boolean; run: () => void } {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      await import('#app/components/composer/shared-drafts.ts').then(
        ({ storeBeforeLeaving }) => storeBeforeLeaving(),
        () => undefined,
      );
      const outcome = await signOut();
      // Still signed in: show the error, so that the page does not look signed out.
      if (!outcome.done) throw new Error(outcome.problem);
      await forgetTeammate();
      window.location.assign(goTo);
    });
  return { pending, run };
}
