import type { AttemptOutcome, DeliveryOutcome } from '#server/generated/prisma/enums.ts';

/** A delivery with its last attempt. `outcome` is null while it is sent or retried. */
export type DeliveryState = {
  outcome: DeliveryOutcome | null;
  attempts: number;
  last: { outcome: AttemptOutcome; statusCode: number | null } | null;
};

/** Returns why a delivery failed, or failed so far, as the end of a sentence: `server error (500)`. */
export function explainDelivery({ outcome, attempts, last }: DeliveryState, platformName: string): string {
  if (outcome === 'cancelled' || !last) return 'the workflow was turned off';
  const words = wordsOf(last.outcome, platformName);
  const why = last.statusCode === null ? words : `${words} (${last.statusCode})`;
  return outcome === 'exhausted' ? `${why}, given up after ${attempts} attempts` : why;
}

function wordsOf(outcome: AttemptOutcome, platformName: string): string {
  const words: Record<AttemptOutcome, string> = {
    delivered: 'accepted',
    rejected: `refused by ${platformName}`,
    gone: `${platformName} says the workflow no longer exists`,
    throttled: `${platformName} receives too many events`,
    failed: 'server error',
    redirected: 'redirected to another address',
    timed_out: 'no response',
    unreachable: 'could not connect',
  };
  return words[outcome];
}
