import type { Metadata } from 'next';
import { HistoryPage } from '#app/components/integrations/history-page.tsx';
import { AuditList } from '#app/components/integrations/history-sections.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'History' };

export default function ConnectionHistoryPage({ searchParams }: { searchParams: Query }) {
  return (
    <HistoryPage
      title="History"
      about={({ workspaceName, platformName }) =>
        `Connections of ${workspaceName} to ${platformName} that were created, refused or disconnected, and API tokens, newest first.`
      }
      path="/settings/integrations/history"
      searchParams={searchParams}
      load={(connections, page) => connections.listAudit(page)}
      show={(items) => (
        <Card>
          <AuditList entries={items} />
        </Card>
      )}
      empty="No history yet"
    />
  );
}
