import type { Metadata } from 'next';
import { CardHeader } from '#app/components/ui/card-header.tsx';
import { CentredCard } from '#app/components/ui/centred-card.tsx';
import { firstValue, type Query } from '#app/lib/first-value.ts';
import { AskAnew } from '#app/reset-password/ask-anew.tsx';
import { ResetPasswordForm } from '#app/reset-password/reset-password-form.tsx';

export const metadata: Metadata = { title: 'New password' };

/** Where the link of a mail leads with which somebody chooses a new password. */
export default async function ResetPasswordPage({ searchParams }: { searchParams: Query }) {
  const token = firstValue((await searchParams).token);
  return (
    <CentredCard>
      {token ? (
        <>
          <CardHeader title="Choose a new password">
            You are then signed out wherever you are signed in, and sign in with the new one.
          </CardHeader>
          <ResetPasswordForm token={token} />
        </>
      ) : (
        <>
          <CardHeader title="This link is not whole">
            Perhaps the mail broke it over two lines. Copy all of it into the address bar, or ask for a new
            one.
          </CardHeader>
          <AskAnew />
        </>
      )}
    </CentredCard>
  );
}
