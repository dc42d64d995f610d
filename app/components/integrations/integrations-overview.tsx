import { ExternalLink, Plug } from 'lucide-react';
import Link from 'next/link';
import { Suspense } from 'react';
import { ConnectionCards } from '#app/components/integrations/connection-cards.tsx';
import { EventLog } from '#app/components/integrations/event-log.tsx';
import { ConnectionHistory, PastConnections } from '#app/components/integrations/history-sections.tsx';
import { IntegrationsNotAllowed } from '#app/components/integrations/integrations-not-allowed.tsx';
import { RemovedHooks } from '#app/components/integrations/removed-hooks.tsx';
import { SlotUsage } from '#app/components/integrations/slot-usage.tsx';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { getScreens } from '#app/data/session.ts';
import { cx } from '#app/lib/cx.ts';
import type { LogView } from '#app/lib/log-path.ts';
import { pageContext } from '#server/screens/page-context.ts';

export async function IntegrationsOverview({ workspaceName, log }: { workspaceName: string; log: LogView }) {
  const view = await (await getScreens()).connections.overview();
  if (view.kind === 'not_allowed') {
    const { role, ownConnections } = view;
    return <IntegrationsNotAllowed {...{ role, ownConnections, workspaceName }} />;
  }
  const { slots, connections, older, platformName } = view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <SlotUsage slots={slots} />
      <section aria-labelledby="connections" className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="connections" tabIndex={-1} className="text-base">
            Connections to {platformName}
          </h2>
          <a
            href={pageContext().platformUrl}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('secondary')}
          >
            Open {platformName}
            <ExternalLink aria-hidden size={14} />
          </a>
        </div>
        {connections.length === 0 ? <NoConnections platformName={platformName} /> : null}
        <ConnectionCards connections={connections} platformName={platformName} />
        {older ? (
          <Link href="/settings/integrations/connections" className={cx(buttonClass('secondary'), 'w-fit')}>
            All connections
          </Link>
        ) : null}
      </section>
      <Suspense fallback={<TableSkeleton label="Loading past connections" />}>
        <PastConnections />
      </Suspense>
      <Suspense fallback={<TableSkeleton label="Loading the history" />}>
        <ConnectionHistory />
      </Suspense>
      <RemovedHooks />
      <Suspense fallback={<TableSkeleton label="Loading the event log" />}>
        <EventLog view={log} platformName={platformName} />
      </Suspense>
      <RefreshOn topic="deliveries" />
    </div>
  );
}

function NoConnections({ platformName }: { platformName: string }) {
  const { serviceName } = pageContext();
  return (
    <Card>
      <EmptyState icon={Plug} title="No connections yet">
        <p>
          Open {platformName} and connect {serviceName} there. You’ll return here to approve it, then build
          your workflow there.
        </p>
        <p>Connections appear here, and you can disconnect them any time.</p>
        <p>
          To tag or assign new conversations you need no workflow: use{' '}
          <Link href="/settings/flows" className="font-medium text-accent-ink hover:underline">
            Automations
          </Link>
          .
        </p>
      </EmptyState>
    </Card>
  );
}
