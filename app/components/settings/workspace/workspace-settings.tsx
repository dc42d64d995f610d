import { LockKeyhole } from 'lucide-react';
import Link from 'next/link';
import { DeleteWorkspaceButton } from '#app/components/settings/workspace/delete-workspace-button.tsx';
import { ExportSettings } from '#app/components/settings/workspace/export-settings.tsx';
import { GeneralForm } from '#app/components/settings/workspace/general-form.tsx';
import { RetentionSettings } from '#app/components/settings/workspace/retention-settings.tsx';
import { SecondFactorForm } from '#app/components/settings/workspace/second-factor-form.tsx';
import { TestWorkspace } from '#app/components/settings/workspace/test-workspace.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';
import { roleName } from '#app/lib/role-name.ts';

/** Workspace settings, for owners and admins only. */
export async function WorkspaceSettings({
  workspaceName,
  isTest,
}: {
  workspaceName: string;
  isTest: boolean;
}) {
  const view = await (await getScreens()).workspaces.settings();
  if (view.kind === 'not_allowed') return <NotAllowed role={view.role} workspaceName={workspaceName} />;
  const { mayDelete, ...general } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        id="general"
        title="General"
        about="Name, country, language and automatic actions of the workspace."
      >
        <GeneralForm
          settings={general}
          daysMax={general.closeAfterDaysMax}
          countries={general.countries}
          languages={general.languages}
        />
      </Section>
      <Section id="email" title="Email" about="How the workspace receives and sends email.">
        <p className="p-5">
          <Link href="/settings/channels/email" className="font-medium text-accent-ink hover:underline">
            Domains, mailboxes and signing
          </Link>{' '}
          are in Channels.
        </p>
      </Section>
      {isTest || !mayDelete ? null : (
        <>
          <SecondFactorRule />
          <SingleSignOn />
        </>
      )}
      <DataRetention />
      {mayDelete ? <WorkspaceExport /> : null}
      {isTest ? null : <TestWorkspace mayCreate={mayDelete} />}
      <DeleteWorkspace mayDelete={mayDelete} />
    </div>
  );
}

/** For owners. */
async function SecondFactorRule() {
  const rule = await (await getScreens()).workspaces.secondFactorRule();
  return (
    <Section
      id="second-factor-rule"
      title="Two-factor authentication"
      about="Everyone needs an authenticator app or a passkey to open the workspace, from a date on."
    >
      <div className="p-5">
        <SecondFactorForm {...rule} />
      </div>
    </Section>
  );
}

/** For owners. */
async function WorkspaceExport() {
  const newest = await (await getScreens()).workspaceExport.get();
  return (
    <Section
      id="export"
      title="Export"
      about="Everything in the workspace as ZIP archives: JSON lines for each table, files and original emails."
    >
      <ExportSettings initial={newest} />
    </Section>
  );
}

async function DataRetention() {
  const rule = await (await getScreens()).retention.get();
  return (
    <Section
      id="data-retention"
      title="Data retention"
      about="Deletes old data automatically each night. Nothing is deleted unless a number of days is set."
    >
      <RetentionSettings rule={rule} />
    </Section>
  );
}

/** For owners. */
async function SingleSignOn() {
  const { provider } = await (await getScreens()).singleSignOn.get();
  const state =
    provider === null
      ? 'Off'
      : provider.requiredAt
        ? 'Required'
        : provider.testedAt
          ? 'On'
          : 'Not tested yet';
  return (
    <Section
      id="single-sign-on"
      title="Single sign-on"
      about="Teammates sign in through the identity provider of your organization."
    >
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-5">
        <Link
          href="/settings/workspace/single-sign-on"
          className="font-medium text-accent-ink hover:underline"
        >
          {provider ? 'Change single sign-on' : 'Set up single sign-on'}
        </Link>
        <span className="text-ink-soft text-list">{state}</span>
      </p>
    </Section>
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
