import type { DeliveryOutcome } from '#server/generated/prisma/enums.ts';
import type { DeliveryState } from '#server/screens/integrations/deliveries-views.ts';

/** The state of a delivery, as SQL over its row. */
export type DeliveryStanding = {
  outcome: DeliveryOutcome | null;
  attempts: number;
  earlierAttempts: number;
};

const ENDED: Record<DeliveryOutcome, DeliveryState> = {
  delivered: 'delivered',
  dropped: 'failed',
  exhausted: 'failed',
  cancelled: 'cancelled',
};

/**
 * Names the state of a delivery. One that was sent again by hand waits until it is tried, whatever was tried before.
 */
export function deliveryState({ outcome, attempts, earlierAttempts }: DeliveryStanding): DeliveryState {
  if (outcome) return ENDED[outcome];
  return attempts > earlierAttempts ? 'retrying' : 'waiting';
}

/**
 * SQL: the filter's word for a delivery that was not delivered, as the index `deliveries_undelivered` has it.
 */
export const UNDELIVERED_STATE = `(case
  when d.outcome in ('dropped', 'exhausted') then 'failed'
  when d.outcome = 'cancelled' then 'cancelled'
  when d.attempts > d.earlier_attempts then 'retrying'
  else 'waiting' end)`;
