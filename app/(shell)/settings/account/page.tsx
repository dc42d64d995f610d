import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AccountSettings, BareFrame } from '#app/components/settings/account/account-settings.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { currentSession, getScreens } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Account' };

/** Also for those who are in no workspace, who have no frame around it. */
export default async function AccountPage() {
  const session = await currentSession();
  if (!session) redirect('/sign-in?next=/settings/account');
  const account = await (await getScreens()).account.get();
  const page = (
    <PageBody>
      <PageHeader title="Account">
        Your name, password and account are the same in all your workspaces; your signature can differ.
      </PageHeader>
      <AccountSettings
        account={account}
        platformName={session.platformName}
        workspaceId={session.workspace?.id ?? null}
      />
    </PageBody>
  );
  return session.workspace ? page : <BareFrame>{page}</BareFrame>;
}
