import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import { TimeSince } from '#app/components/ui/time-since.tsx';
import { pluralize } from '#app/lib/pluralize.ts';
import type { ConnectionHealth } from '#server/screens/integrations/views.ts';

/** The pace of a workflow that is slowed down. */
export const SLOWED = 'Slowed down to 20 events a second';

const tones: Record<ConnectionHealth['kind'], DotTone> = {
  failing: 'bad',
  unanswered: 'bad',
  retrying: 'waiting',
  slowed: 'waiting',
  idle: 'quiet',
  quiet: 'quiet',
  normal: 'good',
};

/** How deliveries of a connection go, in words. */
export function ConnectionHealthLine({ health }: { health: ConnectionHealth }) {
  return (
    <StatusDot tone={tones[health.kind]}>
      <span>
        <Words health={health} />
      </span>
    </StatusDot>
  );
}

function Words({ health }: { health: ConnectionHealth }) {
  switch (health.kind) {
    case 'failing':
      return (
        <>
          {pluralize(health.workflows, 'workflow')} failing since <TimeSince at={health.since} />
        </>
      );
    case 'unanswered':
      return `No response from ${pluralize(health.workflows, 'workflow')}`;
    case 'retrying':
      return `Retrying for ${pluralize(health.workflows, 'workflow')}`;
    case 'slowed':
      return SLOWED;
    case 'idle':
      return 'No workflows turned on';
    case 'quiet':
      return 'No events yet';
    case 'normal':
      return 'Delivering normally';
  }
}
