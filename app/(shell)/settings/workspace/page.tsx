import type { Metadata } from 'next';
import { Suspense } from 'react';
import { WorkspaceSettings } from '#app/components/settings/workspace/workspace-settings.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Workspace' };

export default async function WorkspacePage() {
  const { workspace } = await requireWorkspace('/settings/workspace');
  return (
    <PageBody>
      <PageHeader title="Workspace">These settings apply to everyone in {workspace.name}.</PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading settings" />}>
        <WorkspaceSettings workspaceName={workspace.name} isTest={workspace.isTest} />
      </Suspense>
    </PageBody>
  );
}
