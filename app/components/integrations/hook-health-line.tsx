import { SLOWED } from '#app/components/integrations/health-lines.tsx';
import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import { TimeSince } from '#app/components/ui/time-since.tsx';
import { pluralize } from '#app/lib/pluralize.ts';
import type { HookHealth } from '#server/screens/integrations/views.ts';

const kinds: Record<Exclude<HookHealth['kind'], 'failing'>, { tone: DotTone; words: string }> = {
  unanswered: { tone: 'bad', words: 'No response to the last attempt' },
  retrying: { tone: 'waiting', words: 'Last attempt failed, retrying' },
  slowed: { tone: 'waiting', words: SLOWED },
  quiet: { tone: 'quiet', words: 'No events yet' },
  normal: { tone: 'good', words: 'Delivering normally' },
};

/** How deliveries to a workflow go, in words; how near a failing one is to being removed. */
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
        {pluralize(health.errors, 'event')} failed since <TimeSince at={health.since} />; removed at{' '}
        {health.errorsMax} in a row
      </span>
    </StatusDot>
  );
}
