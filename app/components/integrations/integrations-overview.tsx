import { Plug } from 'lucide-react';
import Link from 'next/link';
import { Suspense } from 'react';
import { ConnectionCards } from '#app/components/integrations/connection-cards.tsx';
import { EventLog } from '#app/components/integrations/event-log.tsx';
import { ConnectionHistory, EndedConnections } from '#app/components/integrations/history-sections.tsx';
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

/** Slots, connections and the event log, or why this teammate does not see them. */
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
        <h2 id="connections" tabIndex={-1} className="text-base">
          Connections to {platformName}
        </h2>
        {connections.length === 0 ? <Nothing platformName={platformName} /> : null}
        <ConnectionCards connections={connections} platformName={platformName} />
        {older ? (
          <Link href="/settings/integrations/connections" className={cx(buttonClass('secondary'), 'w-fit')}>
            All connections
          </Link>
        ) : null}
      </section>
      <Suspense fallback={<TableSkeleton label="Loading ended connections" />}>
        <EndedConnections />
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

function Nothing({ platformName }: { platformName: string }) {
  const { serviceName } = pageContext();
  return (
    <Card>
      <EmptyState icon={Plug} title="Nothing is connected">
        <p>
          Connecting starts in {platformName}: add a step with {serviceName} to a workflow there and choose to
          connect an account. You are then brought back here to approve it.
        </p>
        <p>Each connection then appears here, with what it does and a way to end it.</p>
      </EmptyState>
    </Card>
  );
}
