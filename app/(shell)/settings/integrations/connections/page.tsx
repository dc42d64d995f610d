import type { Metadata } from 'next';
import { ConnectionCards } from '#app/components/integrations/connection-cards.tsx';
import { HistoryPage } from '#app/components/integrations/history-page.tsx';
import type { Query } from '#app/lib/first-param.ts';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Connections' };

export default function ConnectionsPage({ searchParams }: { searchParams: Query }) {
  return (
    <HistoryPage
      title="Connections"
      about={({ workspaceName, platformName }) =>
        `Active connections of ${workspaceName} to ${platformName}, newest first.`
      }
      path="/settings/integrations/connections"
      searchParams={searchParams}
      load={(connections, page) => connections.list(page)}
      show={(items) => (
        <section aria-labelledby="connections" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h2 id="connections" tabIndex={-1} className="sr-only">
            Connections on this page
          </h2>
          <ConnectionCards connections={items} platformName={pageContext().platformName} />
        </section>
      )}
      empty="No connections yet"
    />
  );
}
