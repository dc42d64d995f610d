import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { TeammatesOverview } from '#app/components/settings/teammates/teammates-overview.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Teammates' };

export default async function TeammatesPage() {
  const { workspace } = await requireWorkspace('/settings/teammates');
  return (
    <PageBody>
      <PageHeader title="Teammates">The people who work in {workspace.name}, and their roles.</PageHeader>
      <RefreshOn topic="teammates" />
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading teammates" />}>
        <TeammatesOverview workspaceName={workspace.name} role={workspace.role} isTest={workspace.isTest} />
      </Suspense>
    </PageBody>
  );
}
