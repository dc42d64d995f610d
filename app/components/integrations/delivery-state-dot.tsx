import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import type { DeliveryState, OutcomeFilter } from '#server/screens/integrations/views.ts';

const states: Record<DeliveryState, { tone: DotTone; name: string }> = {
  delivered: { tone: 'good', name: 'Delivered' },
  failed: { tone: 'bad', name: 'Failed' },
  retrying: { tone: 'waiting', name: 'Retrying' },
  waiting: { tone: 'quiet', name: 'Waiting' },
  cancelled: { tone: 'quiet', name: 'Cancelled' },
};

/** Label of each outcome in the log's filter. */
export const outcomeNames: Record<OutcomeFilter, string> = {
  all: 'Any',
  delivered: states.delivered.name,
  failed: states.failed.name,
  retrying: states.retrying.name,
  waiting: states.waiting.name,
  cancelled: states.cancelled.name,
};

export function DeliveryStateDot({ state }: { state: DeliveryState }) {
  const { tone, name } = states[state];
  return <StatusDot tone={tone}>{name}</StatusDot>;
}
