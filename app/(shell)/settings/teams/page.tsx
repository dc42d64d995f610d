import type { Metadata } from 'next';
import { Suspense } from 'react';
import { TeamsOverview } from '#app/components/settings/teams/teams-overview.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Teams' };

export default async function TeamsPage() {
  const { workspace } = await requireWorkspace('/settings/teams');
  return (
    <PageBody>
      <PageHeader title="Teams">
        The teams of {workspace.name}. Teammates, automations and workflows can assign conversations to them.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading teams" />}>
        <TeamsOverview workspaceName={workspace.name} role={workspace.role} />
      </Suspense>
    </PageBody>
  );
}
