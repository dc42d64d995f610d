'use client';

import { followAddressLink } from '#app/components/settings/account/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import type { AddressLink } from '#server/screens/settings/account-views.ts';

type Words = { title: string; about: string; verb: string; done: string; goTo: string; next: string };

/** `link`: what it does now, or null when it was used or has expired. */
type Props = { link: AddressLink | null; token: string };

/**
 * Asks before the link does anything, because programs that check emails open links too. Works without JavaScript: the page then loads
 * again, with a link that the form has used.
 */
export function AddressLinkCard({ link, token }: Props) {
  const [state, submit, pending] = useServerForm(followAddressLink);
  if (state.value) {
    const { done, goTo, next } = wordsOf(state.value);
    return (
      <>
        <div role="status">
          <CardHeader title="Done">{done}</CardHeader>
        </div>
        <a href={goTo} className={buttonClass('primary')}>
          {next}
        </a>
      </>
    );
  }
  if (link === null) {
    return (
      <>
        <CardHeader title="This link is no longer valid">
          It was used, has expired, or ended with a newer request or a new password. Settings, Account shows
          your address.
        </CardHeader>
        <a href="/settings/account" className={buttonClass('primary')}>
          Go to your account
        </a>
      </>
    );
  }
  const { title, about, verb } = wordsOf(link);
  return (
    <>
      <CardHeader title={title}>{about}</CardHeader>
      <form action={submit} className="grid gap-4">
        {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
        <input type="hidden" name="token" value={token} />
        <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="w-full">
          {verb}
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
