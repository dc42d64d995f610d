import type { Metadata } from 'next';
import { HistoryPage } from '#app/components/integrations/history-page.tsx';
import { PastConnectionList } from '#app/components/integrations/history-sections.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Past connections' };

export default function EndedConnectionsPage({ searchParams }: { searchParams: Query }) {
  return (
    <HistoryPage
      title="Past connections"
      about={({ workspaceName, platformName }) =>
        `Connections of ${workspaceName} to ${platformName} that were disconnected, most recent first.`
      }
      path="/settings/integrations/ended"
      searchParams={searchParams}
      load={(connections, page) => connections.listEnded(page)}
      show={(items) => (
        <Card>
          <PastConnectionList connections={items} />
        </Card>
      )}
      empty="No past connections"
    />
  );
}
