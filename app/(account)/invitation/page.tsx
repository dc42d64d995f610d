import type { Metadata } from 'next';
import { InvitationCard } from '#app/components/account/invitation-card.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { currentSession, getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Invitation' };

/** Target of invitation links. Needs no sign-in. */
export default async function InvitationPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const token = firstParam(query.token) ?? '';
  const withPassword = firstParam(query.with) === 'password';
  const [view, session] = await Promise.all([
    (await getScreens()).invitations.get({ token, withPassword }),
    currentSession(),
  ]);
  return (
    <AuthCard>
      {view.kind === 'refused' ? (
        <RefusedInvitation message={view.message} signedIn={session !== null} />
      ) : (
        <InvitationCard view={view} token={token} />
      )}
    </AuthCard>
  );
}

function RefusedInvitation({ message, signedIn }: { message: string; signedIn: boolean }) {
  return (
    <>
      <CardHeader title="This invitation cannot be accepted">{message}</CardHeader>
      <a href={signedIn ? '/inbox' : '/sign-in'} className={buttonClass('primary')}>
        {signedIn ? 'Go to the inbox' : 'Go to sign-in'}
      </a>
    </>
  );
}
