'use client';

import { type ReactNode, useState } from 'react';
import { PasskeyButton } from '#app/components/account/passkey-button.tsx';
import { SecondStepForm } from '#app/components/account/second-step-form.tsx';
import { passPasskeyStep, startPasskeyStep } from '#app/components/settings/account/actions.ts';
import { SignOutButton } from '#app/components/shell/sign-out-button.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';

type SecondStep = { email: string; hasApp: boolean; hasPasskeys: boolean };

type Props = {
  /** The sign-in that waits for its second factor, or null. */
  step: SecondStep | null;
  next: string;
  /** The first step. */
  children: ReactNode;
};

/**
 * Shows the first or second step of signing in. Stays on the step with which it was loaded: the response to the second step renders
 * the page as for a visitor, because the session's cookie changes with it.
 */
export function SignInSteps({ step, next, children }: Props) {
  const [waiting] = useState(step);
  if (waiting === null) return children;
  const { email, hasApp, hasPasskeys } = waiting;
  return (
    <>
      <CardHeader title={hasApp ? 'Enter your code' : 'Use your passkey'}>
        {hasApp
          ? `Your authenticator app shows a code of six digits for ${email}. A recovery code works too.`
          : `Confirm with a passkey that it is you, ${email}. A recovery code works too.`}
      </CardHeader>
      {hasPasskeys ? (
        <PasskeyButton
          start={startPasskeyStep}
          finish={passPasskeyStep}
          next={next}
          variant={hasApp ? 'secondary' : 'primary'}
        >
          Use a passkey
        </PasskeyButton>
      ) : null}
      <SecondStepForm next={next} hasApp={hasApp} />
      <div className="justify-self-center">
        <SignOutButton />
      </div>
    </>
  );
}
