import { type DeliveryStanding, deliveryState } from '#server/deliveries/delivery-state.ts';
import { explainAttempt, type LoggedAttempt } from '#server/deliveries/explain-attempt.ts';
import type { DeliveryStage } from '#server/generated/prisma/enums.ts';

/**
 * Says in a few sentences how a delivery stands and why.
 * @param lastAttempt the newest one; null before the first
 * @param removed why its hook was removed; null while it is live
 */
export function explainDelivery(
  delivery: DeliveryStanding,
  lastAttempt: LoggedAttempt | null,
  { platformName, removed }: { platformName: string; removed: string | null },
): string {
  const last = lastAttempt ? explainAttempt(lastAttempt, platformName) : null;
  const made = delivery.attempts - delivery.earlierAttempts;
  switch (deliveryState(delivery)) {
    case 'delivered':
      return made > 1 ? `${last} It took ${made} attempts.` : (last ?? 'Delivered.');
    case 'failed':
      return join(last, afterFailure(delivery, lastAttempt, made));
    case 'retrying':
      return join(last, delivery.stage === 'waiting' ? FULL : 'It will be tried again.');
    case 'waiting':
      return WAITING[delivery.stage ?? 'queued'];
    case 'sending':
      return 'It is being sent just now.';
    case 'cancelled':
      return made > 0
        ? join(last, 'It was not tried again, because the workflow had ended.', removed)
        : join('It was not sent, because the workflow had ended.', removed);
  }
}

const FULL = 'It will be tried again as soon as other events of this workflow have got through.';

const WAITING: Record<DeliveryStage, string> = {
  queued: 'It is sent in a moment.',
  waiting: 'It is sent as soon as other events of this workflow have got through.',
  in_flight: 'It is being sent just now.',
  handed_on: 'It is being sent just now.',
};

function afterFailure(
  { outcome }: DeliveryStanding,
  lastAttempt: LoggedAttempt | null,
  made: number,
): string {
  if (lastAttempt?.outcome === 'gone') return 'The workflow was removed, and nothing more is sent to it.';
  if (outcome === 'dropped') return 'It was not tried again, as the answer would be the same.';
  return made === 1 ? 'It is not tried again.' : `All ${made} attempts failed, and it is not tried again.`;
}

function join(...sentences: (string | null)[]): string {
  return sentences.filter(Boolean).join(' ');
}
