'use client';

import { useTransition } from 'react';
import { signOut } from '#app/components/frame/sign-out.ts';

/** Signs out and shows the sign-in page. */
export function useSignOut(): { pending: boolean; run: () => void } {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      await signOut();
      window.location.assign('/sign-in');
    });
  return { pending, run };
}
