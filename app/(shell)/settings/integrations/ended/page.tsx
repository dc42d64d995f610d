import type { Metadata } from 'next';
import { HistoryPage } from '#app/components/integrations/history-page.tsx';
import { EndedList } from '#app/components/integrations/history-sections.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Ended connections' };

export default function EndedConnectionsPage({ searchParams }: { searchParams: Query }) {
  return (
    <HistoryPage
      title="Ended connections"
      about={({ workspaceName, platformName }) =>
        `Connections of ${workspaceName} to ${platformName} that have ended, most recent first.`
      }
      path="/settings/integrations/ended"
      searchParams={searchParams}
      load={(connections, page) => connections.listEnded(page)}
      show={(items) => (
        <Card>
          <EndedList connections={items} />
        </Card>
      )}
      empty="No connection has ended yet."
    />
  );
}
