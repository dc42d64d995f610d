'use client';

import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { PasskeyButton } from '#app/components/account/passkey-button.tsx';
import { SignOnOffer } from '#app/components/account/sign-on-offer.tsx';
import { useSignOn } from '#app/components/account/use-sign-on.ts';
import { signIn, signInWithPasskey, startPasskeySignIn } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';

const PROBLEM_ID = 'sign-in-problem';

/** Shows the error above the fields and moves the focus to the field to correct. */
export function SignInForm({ next }: { next: string }) {
  const [state, submit, pending] = useServerForm(signIn);
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state.value) window.location.assign(state.value.goTo);
    else if (state.attempt > 0) (state.values.email ? passwordRef : emailRef).current?.focus();
  }, [state]);
  const problem = state.problem
    ? { 'aria-invalid': true, 'aria-describedby': PROBLEM_ID }
    : { 'aria-invalid': undefined, 'aria-describedby': undefined };
  const signOn = useSignOn();
  const busy = pending || state.done;
  return (
    <form action={submit} className="grid gap-4">
      <input type="hidden" name="next" value={next} />
      {state.problem ? (
        <Alert key={state.attempt} id={PROBLEM_ID}>
          {state.problem}
        </Alert>
      ) : null}
      <Field label="Email">
        {({ id }) => (
          <Input
            ref={emailRef}
            id={id}
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus={state.attempt === 0}
            key={`email-${state.attempt}-${signOn.attempt}`}
            defaultValue={signOn.email ?? state.values.email}
            onBlur={(event) => signOn.check(event.target.value)}
            {...problem}
          />
        )}
      </Field>
      <SignOnOffer signOn={signOn}>
        <Field label="Password">
          {({ id }) => (
            <Input
              ref={passwordRef}
              id={id}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              {...problem}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={busy} aria-busy={busy} className="mt-1 w-full">
          {busy ? 'Signing in' : 'Sign in'}
        </Button>
      </SignOnOffer>
      <PasskeyButton start={startPasskeySignIn} finish={signInWithPasskey} next={next}>
        Sign in with a passkey
      </PasskeyButton>
      <Link
        href="/forgot-password"
        className="justify-self-center font-medium text-accent-ink text-list hover:underline"
      >
        Forgot your password?
      </Link>
    </form>
  );
}
