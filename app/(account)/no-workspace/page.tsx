import { KeyRound, ShieldCheck, UserRoundX } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { DropThreads } from '#app/components/shell/drop-threads.tsx';
import { SignOutButton } from '#app/components/shell/sign-out-button.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { currentSession } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'No workspace' };

export default async function NoWorkspacePage() {
  const session = await currentSession();
  if (!session) redirect('/sign-in');
  if (session.workspace) redirect('/inbox');
  if (session.closedWorkspaces.length > 0) return <SetUpFirst names={session.closedWorkspaces} />;
  if (session.lockedWorkspaces.length > 0) return <SignInAgain locked={session.lockedWorkspaces} />;
  const actions = (
    <div className="flex flex-wrap justify-center gap-2">
      <Link href="/settings/account" className={buttonClass('secondary')}>
        Your account
      </Link>
      <SignOutButton />
    </div>
  );
  return (
    <AuthCard>
      <DropThreads />
      <h1 className="sr-only">No workspace</h1>
      <EmptyState icon={UserRoundX} title="You have no workspace" action={actions}>
        <p>
          You are signed in as {session.user.email}. Ask an owner or admin of your team’s workspace to invite
          this address.
        </p>
      </EmptyState>
    </AuthCard>
  );
}

type Locked = { name: string; signOnPath: string | null };

/** Shown when every workspace of the user needs another way of signing in. */
function SignInAgain({ locked }: { locked: Locked[] }) {
  const actions = (
    <div className="grid justify-items-center gap-2">
      {locked.map(({ name, signOnPath }) =>
        signOnPath ? (
          // A full page load: the provider is another site.
          <a key={signOnPath} href={signOnPath} className={buttonClass('primary')}>
            Continue to {name}
          </a>
        ) : null,
      )}
      <SignOutButton />
    </div>
  );
  const others = locked.filter(({ signOnPath }) => signOnPath === null).map(({ name }) => name);
  return (
    <AuthCard>
      <DropThreads />
      <h1 className="sr-only">Single sign-on</h1>
      <EmptyState icon={KeyRound} title="Sign in once more" action={actions}>
        {locked.length > others.length ? (
          <p>
            This session does not open {locked.length === 1 ? 'this workspace' : 'these workspaces'}. Continue
            at the identity provider of your organization.
          </p>
        ) : null}
        {others.length > 0 ? (
          <p>
            To open {new Intl.ListFormat('en-GB').format(others)}, sign out and sign in with your password or
            a passkey.
          </p>
        ) : null}
      </EmptyState>
    </AuthCard>
  );
}

/** Shown when every workspace of the user requires a second factor that they do not have. */
function SetUpFirst({ names }: { names: string[] }) {
  const actions = (
    <div className="flex flex-wrap justify-center gap-2">
      <Link href="/settings/account#second-factor" className={buttonClass('primary')}>
        Set up two-factor
      </Link>
      <SignOutButton />
    </div>
  );
  const which = new Intl.ListFormat('en-GB').format(names);
  return (
    <AuthCard>
      <DropThreads />
      <h1 className="sr-only">Two-factor authentication</h1>
      <EmptyState icon={ShieldCheck} title="Set up two-factor authentication" action={actions}>
        <p>
          {which} {names.length === 1 ? 'requires' : 'require'} it. You need an authenticator app or a
          passkey, and a minute.
        </p>
      </EmptyState>
    </AuthCard>
  );
}
