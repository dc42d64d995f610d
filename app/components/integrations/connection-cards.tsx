import { ConnectionDescription } from '#app/components/integrations/connection-description.tsx';
import { DisconnectButton } from '#app/components/integrations/disconnect-button.tsx';
import { ConnectionHealthLine } from '#app/components/integrations/health-lines.tsx';
import { HookTable } from '#app/components/integrations/hook-table.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { ConnectionView } from '#server/screens/integrations/views.ts';

type Props = { connection: ConnectionView; platformName: string };

/** One teammate's connection: its health, what it listens for, and the way to end it. */
export function ConnectionCard({ connection, platformName }: Props) {
  const { teammate, hooks, waiting, demotedTo } = connection;
  const titleId = `connection-${connection.id}`;
  return (
    <Card>
      <article aria-labelledby={titleId}>
        <div className="flex flex-wrap items-center gap-3 p-5 pb-4">
          <Avatar name={teammate.name} />
          <div className="grid min-w-0 grow">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2">
              <h3 id={titleId} className="min-w-0 truncate">
                {teammate.name}
              </h3>
              {needsAttention(connection) ? <Badge tone="note">Needs attention</Badge> : null}
            </div>
            <p className="truncate text-ink-soft text-list">{teammate.email}</p>
          </div>
          <DisconnectButton
            connectionId={connection.id}
            teammateName={teammate.name}
            platformName={platformName}
            hooks={hooks}
          />
        </div>
        <div className="px-5 pb-5">
          {waiting ? (
            <Waiting platformName={platformName} />
          ) : (
            <div className="grid gap-4">
              {demotedTo ? (
                <CannotAct name={teammate.name} platformName={platformName} />
              ) : (
                <p className="font-medium text-list">
                  <ConnectionHealthLine health={connection.health} />
                </p>
              )}
              <ConnectionDescription connection={connection} />
            </div>
          )}
        </div>
        {hooks.length > 0 ? <HookTable hooks={hooks} /> : null}
      </article>
    </Card>
  );
}

/** Workflows that get no events, and are removed in the end if nothing is done; or a connection that cannot act. */
function needsAttention({ health: { kind }, demotedTo }: ConnectionView): boolean {
  return demotedTo !== null || kind === 'failing' || kind === 'unanswered';
}

function CannotAct({ name, platformName }: { name: string; platformName: string }) {
  return (
    <div className="grid gap-1 text-list">
      <StatusDot tone="bad">
        <span className="font-medium">Stopped working</span>
      </StatusDot>
      <p className="text-ink-soft">
        {name} is no longer an owner or admin. The connection ends the next time {platformName} renews it or
        an event is sent, unless {name} gets the role back first. To keep its workflows, ask an owner or admin
        to connect in {platformName}.
      </p>
    </div>
  );
}

function Waiting({ platformName }: { platformName: string }) {
  return (
    <div className="grid gap-1 text-list">
      <StatusDot tone="waiting">Waiting for {platformName} to finish</StatusDot>
      <p className="text-ink-soft">
        It was approved here, and {platformName} has 10 minutes to complete it. If it does not, the connection
        is removed. Start again from there.
      </p>
    </div>
  );
}
