'use client';

import { type ReactNode, useState } from 'react';
import { SecondStepForm } from '#app/components/account/second-step-form.tsx';
import { SignOutButton } from '#app/components/shell/sign-out.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';

type Props = {
  /** The address that waits for its second factor, or null. */
  email: string | null;
  next: string;
  /** The first step. */
  children: ReactNode;
};

/**
 * Shows the first or second step of signing in. Stays on the step with which it was loaded: the response to the second step renders
 * the page as for a visitor, because the session's cookie changes with it.
 */
export function SignInSteps({ email, next, children }: Props) {
  const [waiting] = useState(email);
  if (waiting === null) return children;
  return (
    <>
      <CardHeader title="Enter your code">
        Your authenticator app shows a code of six digits for {waiting}. A recovery code works too.
      </CardHeader>
      <SecondStepForm next={next} />
      <div className="justify-self-center">
        <SignOutButton />
      </div>
    </>
  );
}
