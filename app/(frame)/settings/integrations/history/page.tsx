import type { Metadata } from 'next';
import { AuditList } from '#app/components/integrations/audit-list.tsx';
import { HistoryPage } from '#app/components/integrations/history-page.tsx';
import { IntegrationsNotAllowed } from '#app/components/integrations/integrations-not-allowed.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { requireWorkspace } from '#app/data/require-workspace.ts';
import { firstValue, type Query } from '#app/lib/first-value.ts';

export const metadata: Metadata = { title: 'History' };

const PATH = '/settings/integrations/history';

export default async function ConnectionHistoryPage({ searchParams }: { searchParams: Query }) {
  const cursor = firstValue((await searchParams).before);
  const { workspace } = await requireWorkspace(PATH);
  const { connections } = await openScreens();
  const overview = await connections.overview();
  if (overview.kind === 'not_allowed')
    return (
      <PageBody wide>
        <h1 className="sr-only">History</h1>
        <IntegrationsNotAllowed role={overview.role} workspaceName={workspace.name} />
      </PageBody>
    );
  const { items, older } = await connections.listAudit({ cursor });
  return (
    <HistoryPage
      title="History"
      about={`Who connected ${workspace.name} to ${overview.platformName}, was refused or disconnected, and what ended by itself; the newest first.`}
      path={PATH}
      isNewest={cursor === undefined}
      older={older}
    >
      {items.length > 0 ? (
        <AuditList entries={items} />
      ) : (
        <p className="px-5 py-4 text-ink-soft">Nothing has happened yet.</p>
      )}
    </HistoryPage>
  );
}
