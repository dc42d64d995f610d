import { type DeliveryStanding, deliveryState } from '#server/screens/integrations/delivery-state.ts';
import { explainAttempt, type LoggedAttempt } from '#server/screens/integrations/explain-attempt.ts';

/**
 * Explains the state of a delivery in a few sentences.
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
      return join(last, 'It will be retried.');
    case 'waiting':
      return 'It will be sent in a moment, once earlier events of this workflow have been sent.';
    case 'cancelled':
      return made > 0
        ? join(last, 'It was not retried because the workflow had ended.', removed)
        : join('It was not sent because the workflow had ended.', removed);
  }
}

function afterFailure(
  { outcome }: DeliveryStanding,
  lastAttempt: LoggedAttempt | null,
  made: number,
): string {
  if (lastAttempt?.outcome === 'gone') return 'The workflow was removed; nothing more is sent to it.';
  if (outcome === 'dropped') return 'It was not retried, as the response would be the same.';
  return made === 1 ? 'It will not be retried.' : `All ${made} attempts failed. It will not be retried.`;
}

function join(...sentences: (string | null)[]): string {
  return sentences.filter(Boolean).join(' ');
}
