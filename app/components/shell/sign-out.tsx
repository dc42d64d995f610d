'use client';

import { useSignOut } from '#app/components/shell/use-sign-out.ts';
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
