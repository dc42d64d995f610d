import type { Metadata } from 'next';
import { InvitationCard } from '#app/components/invitation/invitation-card.tsx';
import { RefusedInvitation } from '#app/components/invitation/refused-invitation.tsx';
import { AuthCard } from '#app/components/ui/layout/auth-card.tsx';
import { currentSession } from '#app/data/current-session.ts';
import { openScreens } from '#app/data/open-screens.ts';
import { firstParam, type Query } from '#app/lib/paths/first-param.ts';

export const metadata: Metadata = { title: 'Invitation' };

/** Where the link of an invitation leads; anybody may open it. */
export default async function InvitationPage({ searchParams }: { searchParams: Query }) {
  const token = firstParam((await searchParams).token) ?? '';
  const [view, session] = await Promise.all([
    (await openScreens()).invitations.show({ token }),
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
