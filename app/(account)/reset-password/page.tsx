import type { Metadata } from 'next';
import { NewLinkButton } from '#app/components/account/new-link-button.tsx';
import { ResetPasswordForm } from '#app/components/account/password-forms.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'New password' };

/** Target of the link in a password reset email. */
export default async function ResetPasswordPage({ searchParams }: { searchParams: Query }) {
  const token = firstParam((await searchParams).token);
  return (
    <AuthCard>
      {token ? (
        <NextStep token={token} />
      ) : (
        <>
          <CardHeader title="This link is incomplete">
            Your email program may have split it across two lines. Copy the whole link into the address bar,
            or request a new one.
          </CardHeader>
          <NewLinkButton />
        </>
      )}
    </AuthCard>
  );
}

async function NextStep({ token }: { token: string }) {
  if (await (await getScreens()).account.isResetLink({ token })) {
    return (
      <>
        <CardHeader title="Choose a new password">
          You will be signed out everywhere and can sign in with the new one.
        </CardHeader>
        <ResetPasswordForm token={token} />
      </>
    );
  }
  return (
    <>
      <CardHeader title="This link is no longer valid">
        It was used, is older than an hour, or was not copied as a whole.
      </CardHeader>
      <NewLinkButton />
    </>
  );
}
