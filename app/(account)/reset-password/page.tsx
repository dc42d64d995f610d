import type { Metadata } from 'next';
import { AskAgain } from '#app/components/account/ask-again.tsx';
import { ResetPasswordForm } from '#app/components/account/password-forms.tsx';
import { AuthCard, CardHeader } from '#app/components/ui/card.tsx';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'New password' };

/** Where the link of a mail leads with which somebody chooses a new password. */
export default async function ResetPasswordPage({ searchParams }: { searchParams: Query }) {
  const token = firstParam((await searchParams).token);
  return (
    <AuthCard>
      {token ? (
        <>
          <CardHeader title="Choose a new password">
            You will be signed out everywhere and can sign in with the new one.
          </CardHeader>
          <ResetPasswordForm token={token} />
        </>
      ) : (
        <>
          <CardHeader title="This link is incomplete">
            Your email program may have broken it over two lines. Copy all of it into the address bar, or
            request a new one.
          </CardHeader>
          <AskAgain />
        </>
      )}
    </AuthCard>
  );
}
