import type { Metadata } from 'next';
import { Suspense } from 'react';
import { FlowsOverview } from '#app/components/settings/flows/flows-overview.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Automations' };

export default async function FlowsPage() {
  const { workspace } = await requireWorkspace('/settings/flows');
  return (
    <PageBody>
      <PageHeader title="Automations">
        Automations run when a contact starts a conversation in {workspace.name}. All matching automations run
        in the order of this list.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading automations" />}>
        <FlowsOverview workspaceName={workspace.name} role={workspace.role} />
      </Suspense>
    </PageBody>
  );
}
