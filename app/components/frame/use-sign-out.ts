'use client';

import { useTransition } from 'react';
import { signOut } from '#app/components/frame/sign-out.ts';

/** Signs out and shows the sign-in page, or another one that needs no session. */
export function useSignOut(goTo = '/sign-in'): { pending: boolean; run: () => void } {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      await signOut();
      window.location.assign(goTo);
    });
  return { pending, run };
}
