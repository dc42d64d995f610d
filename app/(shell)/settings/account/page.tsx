import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AccountSettings } from '#app/components/settings/account/account-settings.tsx';
import { BareFrame } from '#app/components/settings/account/bare-frame.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { currentSession, getScreens } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Account' };

/** Users without a workspace see this page too, without the shell. */
export default async function AccountPage() {
  const session = await currentSession();
  if (!session) redirect('/sign-in?next=/settings/account');
  const screens = await getScreens();
  const [account, secondFactor] = await Promise.all([screens.account.get(), screens.account.secondFactor()]);
  const [passkeys, sessions] =
    account.limit === null
      ? await Promise.all([screens.account.passkeys(), screens.account.sessions()])
      : [[], []];
  const page = (
    <PageBody>
      <PageHeader title="Account">
        Your name and password are the same in all your workspaces. Your signature can differ.
      </PageHeader>
      <AccountSettings
        account={account}
        sessions={sessions}
        passkeys={passkeys}
        secondFactor={secondFactor}
        platformName={session.platformName}
        workspaceId={session.workspace?.id ?? null}
      />
    </PageBody>
  );
  return session.workspace ? page : <BareFrame renderedAt={Date.now()}>{page}</BareFrame>;
}
