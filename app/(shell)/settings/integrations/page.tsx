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
        Workflows are built and run in {pageContext().platformName}. An event in {workspace.name}, such as a
        new conversation, starts a workflow (its trigger). The workflow can then act here (its actions), for
        example add a note or a tag.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading integrations" />}>
        <IntegrationsOverview workspaceName={workspace.name} log={log} />
      </Suspense>
    </PageBody>
  );
}
