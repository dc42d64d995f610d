import { TimeSince } from '#app/components/ui/relative-time.tsx';
import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import type { ConnectionHealth, HookHealth } from '#server/screens/integrations/views.ts';

const SLOWED = 'Slowed down to 20 events a second';

const tones: Record<ConnectionHealth['kind'], DotTone> = {
  failing: 'bad',
  unanswered: 'bad',
  retrying: 'waiting',
  slowed: 'waiting',
  idle: 'quiet',
  quiet: 'quiet',
  normal: 'good',
};

/** Describes the health of a connection's deliveries. */
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

const kinds: Record<Exclude<HookHealth['kind'], 'failing'>, { tone: DotTone; words: string }> = {
  unanswered: { tone: 'bad', words: 'No response to the last attempt' },
  retrying: { tone: 'waiting', words: 'Last attempt failed, retrying' },
  slowed: { tone: 'waiting', words: SLOWED },
  quiet: { tone: 'quiet', words: 'No events yet' },
  normal: { tone: 'good', words: 'Delivering normally' },
};

/** Describes the health of a hook's deliveries, including how close a failing hook is to removal. */
export function HookHealthLine({ health }: { health: HookHealth }) {
  if (health.kind !== 'failing') {
    const { tone, words } = kinds[health.kind];
    return (
      <StatusDot tone={tone} wrap>
        {words}
      </StatusDot>
    );
  }
  return (
    <StatusDot tone="bad" wrap>
      <span>
        {pluralize(health.errors, 'event')} failed since <TimeSince at={health.since} />. After{' '}
        {health.errorsMax} failures in a row the workflow is removed.
      </span>
    </StatusDot>
  );
}
