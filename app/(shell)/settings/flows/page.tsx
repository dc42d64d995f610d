import type { Metadata } from 'next';
import Link from 'next/link';
import { Suspense } from 'react';
import { FlowsOverview } from '#app/components/settings/flows/flows-overview.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Automations' };

export default async function FlowsPage() {
  const { workspace } = await requireWorkspace('/settings/flows');
  return (
    <PageBody>
      <PageHeader title="Automations">
        Automations run by themselves in {workspace.name}: when something happens to a conversation, or when
        time passes. All that match run in the order of this list, and each run is shown in its conversation.
        For other tools, owners and admins build workflows in {pageContext().platformName}
        {isIn('admins', workspace.role) ? (
          <>
            {' '}
            (see{' '}
            <Link href="/settings/integrations" className="text-accent-ink underline underline-offset-2">
              Integrations
            </Link>
            )
          </>
        ) : null}
        .
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading automations" />}>
        <FlowsOverview workspaceName={workspace.name} role={workspace.role} />
      </Suspense>
    </PageBody>
  );
}
