import type { Metadata } from 'next';
import { EndedList } from '#app/components/integrations/ended-list.tsx';
import { HistoryPage } from '#app/components/integrations/history-page.tsx';
import { IntegrationsNotAllowed } from '#app/components/integrations/integrations-not-allowed.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { requireWorkspace } from '#app/data/require-workspace.ts';
import { firstValue, type Query } from '#app/lib/first-value.ts';

export const metadata: Metadata = { title: 'Ended connections' };

const PATH = '/settings/integrations/ended';

export default async function EndedConnectionsPage({ searchParams }: { searchParams: Query }) {
  const cursor = firstValue((await searchParams).before);
  const { workspace } = await requireWorkspace(PATH);
  const { connections } = await openScreens();
  const overview = await connections.overview();
  if (overview.kind === 'not_allowed')
    return (
      <PageBody wide>
        <h1 className="sr-only">Ended connections</h1>
        <IntegrationsNotAllowed role={overview.role} workspaceName={workspace.name} />
      </PageBody>
    );
  const { items, older } = await connections.listEnded({ cursor });
  return (
    <HistoryPage
      title="Ended connections"
      about={`Connections of ${workspace.name} to ${overview.platformName} that are over, the last to end first.`}
      path={PATH}
      isNewest={cursor === undefined}
      older={older}
    >
      {items.length > 0 ? (
        <EndedList connections={items} />
      ) : (
        <p className="px-5 py-4 text-ink-soft">No connection has ended yet.</p>
      )}
    </HistoryPage>
  );
}
