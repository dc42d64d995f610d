import { ConnectionCard } from '#app/components/integrations/connection-cards.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import type { ConnectionView } from '#server/screens/integrations/views.ts';

type Props = { connections: ConnectionView[]; platformName: string };

/** Connections below the heading `connections`, to which the keyboard returns when one of them ends. */
export function ConnectionCards({ connections, platformName }: Props) {
  return (
    <>
      {connections.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} platformName={platformName} />
      ))}
      <FocusWhenLost on={connections.map(({ id }) => id).join()} goTo="connections" />
    </>
  );
}
