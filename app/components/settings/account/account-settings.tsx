import type { ReactNode } from 'react';
import { PasswordForm } from '#app/components/settings/account/account-forms.tsx';
import { DeleteAccount } from '#app/components/settings/account/delete-account.tsx';
import { NameForm } from '#app/components/settings/account/name-form.tsx';
import { SignatureForm } from '#app/components/settings/account/signature-form.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { AccountView } from '#server/screens/settings/views.ts';

type Props = { account: AccountView; platformName: string; workspaceId: string | null };

/** Name, signature in the open workspace, password and the end of an account. */
export function AccountSettings({ account, platformName, workspaceId }: Props) {
  const workspace = account.workspaces.find(({ id }) => id === workspaceId);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Section id="name" title="Name">
        <NameForm name={account.name} email={account.email} />
      </Section>
      {workspace && workspace.role !== 'viewer' ? (
        <Section id="signature" title="Email signature">
          <SignatureForm key={workspace.id} workspace={workspace} />
        </Section>
      ) : null}
      <Section id="password" title="Password">
        <PasswordForm email={account.email} />
      </Section>
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
        <h2 id={id} className="text-base">
          {title}
        </h2>
        {children}
      </section>
    </Card>
  );
}
