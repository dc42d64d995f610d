'use client';

import { useSignOut } from '#app/components/frame/use-sign-out.ts';
import { Button } from '#app/components/ui/button.tsx';

/** Signs out, where there is no user menu. */
export function SignOutButton() {
  const { pending, run } = useSignOut();
  return (
    <Button onClick={run} disabled={pending} aria-busy={pending}>
      Sign out
    </Button>
  );
}
