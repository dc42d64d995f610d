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
        Automations run when a contact starts a conversation in {workspace.name}, and at no other time. All
        matching automations run in the order of this list. For other events, such as a reply or a new status,
        owners and admins build workflows in {pageContext().platformName}
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
