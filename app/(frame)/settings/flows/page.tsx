import type { Metadata } from 'next';
import { Suspense } from 'react';
import { FlowsOverview } from '#app/components/flows/flows-overview.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { PageHeader } from '#app/components/ui/page-header.tsx';
import { TableSkeleton } from '#app/components/ui/table-skeleton.tsx';
import { requireWorkspace } from '#app/data/require-workspace.ts';

export const metadata: Metadata = { title: 'Flows' };

export default async function FlowsPage() {
  const { workspace } = await requireWorkspace('/settings/flows');
  return (
    <PageBody>
      <PageHeader title="Flows">
        What is done by itself when a contact starts a conversation in {workspace.name}. Each flow that
        applies runs, in the order of this list.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the flows" />}>
        <FlowsOverview workspaceName={workspace.name} role={workspace.role} />
      </Suspense>
    </PageBody>
  );
}
