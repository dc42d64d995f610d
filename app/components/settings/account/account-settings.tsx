import Link from 'next/link';
import type { ReactNode } from 'react';
import {
  DeleteForm,
  NameForm,
  PasswordForm,
  SignatureForm,
} from '#app/components/settings/account/account-forms.tsx';
import { AddressForm } from '#app/components/settings/account/address-form.tsx';
import { AfterSolvingChoice } from '#app/components/settings/account/after-solving-choice.tsx';
import { Passkeys } from '#app/components/settings/account/passkeys.tsx';
import { SecondFactor } from '#app/components/settings/account/second-factor.tsx';
import { SessionList } from '#app/components/settings/account/session-list.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import type {
  AccountView,
  PasskeyView,
  SecondFactorView,
  SessionView,
} from '#server/screens/settings/account-views.ts';

type Props = {
  account: AccountView;
  sessions: SessionView[];
  passkeys: PasskeyView[];
  secondFactor: SecondFactorView;
  platformName: string;
  workspaceId: string | null;
};

export function AccountSettings(props: Props) {
  const { account, sessions, passkeys, secondFactor, platformName, workspaceId } = props;
  const workspace = account.workspaces.find(({ id }) => id === workspaceId);
  const isLimited = account.limit !== null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {isLimited ? (
        <p className="rounded-lg border border-note-line bg-note px-3.5 py-2.5 text-note-ink [overflow-wrap:anywhere]">
          {account.limit}
        </p>
      ) : null}
      <Section id="name" title="Name">
        {isLimited ? (
          <p className="[overflow-wrap:anywhere]">{account.name}</p>
        ) : (
          <NameForm name={account.name} />
        )}
      </Section>
      <Section id="email" title="Email">
        <AddressForm email={account.email} />
      </Section>
      {workspace && workspace.role !== 'viewer' ? (
        <Section id="signature" title="Email signature">
          <SignatureForm key={workspace.id} workspace={workspace} />
        </Section>
      ) : null}
      {workspace && workspace.role !== 'viewer' && !isLimited ? (
        <Section id="inbox" title="Inbox">
          <AfterSolvingChoice chosen={account.afterSolving} />
        </Section>
      ) : null}
      <Section id="password" title="Password">
        <PasswordForm email={account.email} />
      </Section>
      {isLimited ? null : (
        <Section id="passkeys" title="Passkeys">
          <Passkeys passkeys={passkeys} />
        </Section>
      )}
      <Section id="second-factor" title="Two-factor authentication">
        <SecondFactor view={secondFactor} />
      </Section>
      {isLimited ? null : (
        <Section id="sessions" title="Where you’re signed in">
          <SessionList sessions={sessions} />
        </Section>
      )}
      <Section id="delete" title="Delete account">
        <DeleteAccount account={account} platformName={platformName} />
      </Section>
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Card className="p-5 max-md:p-4">
      <section aria-labelledby={id} className="grid gap-4">
        <h2 id={id} tabIndex={-1} className="text-base">
          {title}
        </h2>
        {children}
      </section>
    </Card>
  );
}

type DeleteAccountProps = { account: AccountView; platformName: string };

const list = new Intl.ListFormat('en-GB');

/** Deletes the account, or explains what to do first. */
function DeleteAccount({ account, platformName }: DeleteAccountProps) {
  const { lastOwnerOf } = account;
  if (lastOwnerOf.length > 0) {
    return (
      <div className="grid max-w-[65ch] gap-2 text-ink-soft">
        <p>You are the only owner of {list.format(lastOwnerOf)}, so you can’t delete your account yet.</p>
        <p>
          Open {lastOwnerOf.length === 1 ? 'that workspace' : 'each of these workspaces'} and make someone
          else an owner in{' '}
          <Link href="/settings/teammates" className="font-medium text-accent-ink hover:underline">
            Teammates
          </Link>
          , or delete the workspace. Then come back here.
        </p>
      </div>
    );
  }
  return <DeleteForm email={account.email} effects={effectsOf(account, platformName)} />;
}

/** Returns the effects of deleting the account, as sentences. */
function effectsOf(account: AccountView, platformName: string): string[] {
  const { memberOf, connections, liveWorkflows } = account;
  return [
    memberOf.length > 0 ? `You leave ${list.format(memberOf)}.` : '',
    connections > 0
      ? `${pluralize(connections, 'connection')} to ${platformName} will be disconnected immediately${
          liveWorkflows > 0 ? `, with ${pluralize(liveWorkflows, 'live workflow')}` : ''
        }.`
      : '',
    memberOf.length > 0 ? 'Conversations assigned to you become unassigned.' : '',
    'Your messages and notes stay, under your name. Your email address can be used for a new account.',
  ].filter(Boolean);
}
