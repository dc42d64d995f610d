import type { Metadata } from 'next';
import { Suspense } from 'react';
import { IntegrationsOverview } from '#app/components/integrations/integrations-overview.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import type { Query } from '#app/lib/first-param.ts';
import { logPath, parseLogView } from '#app/lib/log-path.ts';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Integrations' };

export default async function IntegrationsPage({ searchParams }: { searchParams: Query }) {
  const log = parseLogView(await searchParams);
  const { workspace } = await requireWorkspace(logPath(log));
  return (
    <PageBody>
      <PageHeader title="Integrations">
        Workflows in {pageContext().platformName} can act in {workspace.name} and receive its events.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading integrations" />}>
        <IntegrationsOverview workspaceName={workspace.name} log={log} />
      </Suspense>
    </PageBody>
  );
}
