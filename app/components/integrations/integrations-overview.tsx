import { LockKeyhole, Plug } from 'lucide-react';
import { ConnectionCard } from '#app/components/integrations/connection-card.tsx';
import { SlotUsage } from '#app/components/integrations/slot-usage.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { openScreens } from '#app/data/open-screens.ts';
import { roleName } from '#app/lib/role-name.ts';
import { pageContext } from '#server/page-context.ts';

/** Slots and connections, or why this teammate does not see them. */
export async function IntegrationsOverview({ workspaceName }: { workspaceName: string }) {
  const view = await (await openScreens()).connections.overview();
  if (view.kind === 'not_allowed') return <NotAllowed role={view.role} workspaceName={workspaceName} />;
  const { slots, connections, platformName } = view;
  return (
    <div className="grid gap-8">
      <SlotUsage slots={slots} />
      <section aria-labelledby="connections" className="grid gap-3">
        <h2 id="connections" className="text-base">
          Connections to {platformName}
        </h2>
        {connections.length === 0 ? (
          <Nothing platformName={platformName} />
        ) : (
          connections.map((connection) => (
            <ConnectionCard key={connection.id} connection={connection} platformName={platformName} />
          ))
        )}
      </section>
    </div>
  );
}

function Nothing({ platformName }: { platformName: string }) {
  const { serviceName } = pageContext();
  return (
    <Card>
      <EmptyState icon={Plug} title="Nothing is connected yet">
        <p>
          Connecting starts in {platformName}: add a step with {serviceName} to a workflow there and choose to
          connect an account. You are brought back here to approve it.
        </p>
        <p>Each connection then appears here, with what it does and a way to end it.</p>
      </EmptyState>
    </Card>
  );
}

function NotAllowed({ role, workspaceName }: { role: string; workspaceName: string }) {
  return (
    <Card>
      <EmptyState icon={LockKeyhole} title="Only owners and admins can manage integrations">
        <p>
          An integration can read every conversation and reply, so this is for owners and admins. Your role in{' '}
          {workspaceName} is {roleName(role).toLowerCase()}. Ask an owner or admin if you need something
          connected.
        </p>
      </EmptyState>
    </Card>
  );
}
