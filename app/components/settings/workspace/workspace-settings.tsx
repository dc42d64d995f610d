import { LockKeyhole } from 'lucide-react';
import { DeleteWorkspaceButton } from '#app/components/settings/workspace/delete-workspace-button.tsx';
import { EmailDomains } from '#app/components/settings/workspace/email-domains.tsx';
import { GeneralForm } from '#app/components/settings/workspace/general-form.tsx';
import { Mailboxes } from '#app/components/settings/workspace/mailboxes.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';
import { roleName } from '#app/lib/role-name.ts';

/** Workspace settings, for owners and admins only. */
export async function WorkspaceSettings({ workspaceName }: { workspaceName: string }) {
  const view = await (await getScreens()).workspaces.settings();
  if (view.kind === 'not_allowed') return <NotAllowed role={view.role} workspaceName={workspaceName} />;
  const { domains, mailboxes, emailProblem, mayDelete, ...general } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section id="general" title="General" about="Name, country and automatic actions of the workspace.">
        <GeneralForm settings={general} daysMax={general.closeAfterDaysMax} countries={general.countries} />
      </Section>
      <EmailDomains domains={domains} problem={emailProblem} />
      <Mailboxes mailboxes={mailboxes} domains={domains} problem={emailProblem} />
      <DeleteWorkspace mayDelete={mayDelete} />
    </div>
  );
}

function NotAllowed({ role, workspaceName }: { role: string; workspaceName: string }) {
  return (
    <Card>
      <EmptyState icon={LockKeyhole} title="Only owners and admins can change the workspace">
        <p>
          These settings apply to everyone in {workspaceName}, and your role here is{' '}
          {roleName(role).toLowerCase()}. Ask an owner or admin for changes.
        </p>
      </EmptyState>
    </Card>
  );
}

async function DeleteWorkspace({ mayDelete }: { mayDelete: boolean }) {
  const deletion = mayDelete ? await (await getScreens()).workspaces.deletion() : null;
  return (
    <Section
      id="delete-workspace"
      title="Delete workspace"
      about="Deletes the workspace for everyone, with everything in it. It can’t be restored."
    >
      <div className="p-5">
        {deletion ? (
          <DeleteWorkspaceButton deletion={deletion} />
        ) : (
          <p className="text-ink-soft">Only owners can delete the workspace.</p>
        )}
      </div>
    </Section>
  );
}
