'use client';

import { useState } from 'react';
import { followAddressLink } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import type { AddressLink } from '#server/screens/settings/account-views.ts';

type Words = { title: string; about: string; verb: string; done: string; goTo: string; next: string };

/** Asks before the link does anything, because programs that check emails open links too. */
export function AddressLinkCard({ link: current, token }: { link: AddressLink; token: string }) {
  const [state, submit, pending] = useServerForm(followAddressLink);
  // The page is rendered again after the link was used.
  const [link] = useState(current);
  const words = wordsOf(link);
  if (state.done) {
    return (
      <>
        <div role="status">
          <CardHeader title="Done">{words.done}</CardHeader>
        </div>
        <a href={words.goTo} className={buttonClass('primary')}>
          {words.next}
        </a>
      </>
    );
  }
  return (
    <>
      <CardHeader title={words.title}>{words.about}</CardHeader>
      <form action={submit} className="grid gap-4">
        {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
        <input type="hidden" name="token" value={token} />
        <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="w-full">
          {words.verb}
        </Button>
      </form>
    </>
  );
}

function wordsOf({ kind, oldEmail, newEmail }: AddressLink): Words {
  if (kind === 'confirm') {
    return {
      title: 'Confirm your new address',
      about: `You will sign in with ${newEmail} instead of ${oldEmail}.`,
      verb: 'Confirm address',
      done: `Your address is ${newEmail} now.`,
      goTo: '/settings/account',
      next: 'Go to your account',
    };
  }
  if (kind === 'refuse') {
    return {
      title: 'Keep your address?',
      about: `Someone who knows your password asked to change ${oldEmail} to ${newEmail}.`,
      verb: 'Keep my address',
      done: `Your address stays ${oldEmail}. If it was not you who asked, choose a new password now.`,
      goTo: '/forgot-password',
      next: 'Choose a new password',
    };
  }
  return {
    title: 'Undo the change?',
    about: `Your address was changed to ${newEmail}. Undo it if it was not you: you are signed out everywhere and choose a new password.`,
    verb: 'Undo the change',
    done: `Your address is ${oldEmail} again, and the old password no longer works.`,
    goTo: '/forgot-password',
    next: 'Choose a new password',
  };
}
