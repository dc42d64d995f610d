import { disconnect } from '#app/components/integrations/actions.ts';
import { ConnectionDescription } from '#app/components/integrations/connection-description.tsx';
import { ConnectionHealthLine } from '#app/components/integrations/health-lines.tsx';
import { HookTable } from '#app/components/integrations/hook-table.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import type { ConnectionHook, ConnectionView } from '#server/screens/integrations/views.ts';

type Props = { connection: ConnectionView; platformName: string };

/** A teammate's connection: health, live workflows and a disconnect button. */
function ConnectionCard({ connection, platformName }: Props) {
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

/** Returns whether the connection cannot act, or its hooks fail and will be removed. */
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
        {name} is no longer an owner or admin. The connection will be disconnected the next time{' '}
        {platformName} refreshes it or an event is sent, unless {name} regains the role first. To keep its
        workflows running, ask an owner or admin to connect in {platformName}.
      </p>
    </div>
  );
}

function Waiting({ platformName }: { platformName: string }) {
  return (
    <div className="grid gap-1 text-list">
      <StatusDot tone="waiting">Waiting for {platformName} to finish</StatusDot>
      <p className="text-ink-soft">
        Approved here. {platformName} has 10 minutes to complete the connection, otherwise it is removed and
        you can start again from {platformName}.
      </p>
    </div>
  );
}

type ConnectionCardsProps = { connections: ConnectionView[]; platformName: string };

/** Connection cards below the heading `connections`, which takes the focus when a connection is disconnected. */
export function ConnectionCards({ connections, platformName }: ConnectionCardsProps) {
  return (
    <>
      {connections.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} platformName={platformName} />
      ))}
      <FocusWhenLost on={connections.map(({ id }) => id).join()} goTo="connections" />
    </>
  );
}

/** Workflows listed by name. The rest is a count. */
const NAMED_MAX = 5;

type DisconnectButtonProps = {
  connectionId: string;
  teammateName: string;
  platformName: string;
  hooks: Pick<ConnectionHook, 'id' | 'eventName' | 'filter'>[];
};

/** Disconnects after a confirmation that lists the workflows it stops. */
function DisconnectButton({ connectionId, teammateName, platformName, hooks }: DisconnectButtonProps) {
  const name = `${teammateName}’s connection`;
  return (
    <DeleteButton
      verb="Disconnect"
      name={name}
      done={`${name} was disconnected`}
      act={disconnect.bind(null, connectionId)}
    >
      <StoppingWorkflows hooks={hooks} />
      <p>Workflows in {platformName} can no longer read, write or reply through this connection.</p>
      <p>Changes made through it stay. To use it again, reconnect in {platformName}.</p>
    </DeleteButton>
  );
}

function StoppingWorkflows({ hooks }: Pick<DisconnectButtonProps, 'hooks'>) {
  if (hooks.length === 0) return <p>No workflows use this connection.</p>;
  const rest = hooks.length - NAMED_MAX;
  return (
    <>
      <p>
        {pluralize(hooks.length, 'live workflow')} {hooks.length === 1 ? 'stops' : 'stop'} receiving events:
      </p>
      <ul className="grid list-disc gap-1 pl-5">
        {hooks.slice(0, NAMED_MAX).map(({ id, eventName, filter }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            {eventName}
            {filter ? `: ${filter}` : ''}
          </li>
        ))}
        {rest > 0 ? <li>and {rest.toLocaleString('en-GB')} more</li> : null}
      </ul>
    </>
  );
}
