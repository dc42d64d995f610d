import { Badge } from '#app/components/ui/badge.tsx';
import { Fact, TimeFact } from '#app/components/ui/facts.tsx';
import type { ConnectionView } from '#server/connections/views.ts';

/** When a connection was made and used, and what depends on it. */
export function ConnectionFacts({ connection }: { connection: ConnectionView }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-list sm:grid-cols-4">
      <TimeFact name="Connected" at={connection.createdAt} />
      {connection.lastUsedAt ? (
        <TimeFact name="Last used" at={connection.lastUsedAt} />
      ) : (
        <Fact name="Last used">Not yet</Fact>
      )}
      <Fact name="Live workflows">
        <span className="tabular">{connection.liveWorkflows.toLocaleString('en-GB')}</span>
      </Fact>
      <Fact name="Commands">
        <ConnectionCommands {...connection} />
      </Fact>
    </dl>
  );
}

type CommandsProps = Pick<ConnectionView, 'commands' | 'listensForEveryCommand'>;

/** The commands it listens for; those of its other workflows are named beside one that listens for every command. */
export function ConnectionCommands({ commands, listensForEveryCommand }: CommandsProps) {
  if (!listensForEveryCommand && commands.length === 0) return 'None';
  return (
    <span className="flex flex-wrap items-baseline gap-1">
      {listensForEveryCommand ? `Every command${commands.length > 0 ? ', and' : ''} ` : null}
      {commands.map((command) => (
        <Badge key={command}>/{command}</Badge>
      ))}
    </span>
  );
}
