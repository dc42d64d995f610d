import { Badge } from '#app/components/ui/badge.tsx';
import { DescriptionItem, TimeItem } from '#app/components/ui/description-list.tsx';
import type { ConnectionView } from '#server/screens/integrations/views.ts';

export function ConnectionDescription({ connection }: { connection: ConnectionView }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-list sm:grid-cols-4">
      <TimeItem name="Connected" at={connection.createdAt} />
      {connection.lastUsedAt ? (
        <TimeItem name="Last used" at={connection.lastUsedAt} />
      ) : (
        <DescriptionItem name="Last used">Not yet</DescriptionItem>
      )}
      <DescriptionItem name="Live workflows">
        <span className="tabular">{connection.liveWorkflows.toLocaleString('en-GB')}</span>
      </DescriptionItem>
      <DescriptionItem name="Commands">
        <ConnectionCommands {...connection} />
      </DescriptionItem>
    </dl>
  );
}

type CommandsProps = Pick<ConnectionView, 'commands' | 'listensForEveryCommand'>;

/** The connection's commands. Also lists named commands beside a workflow for every command. */
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
