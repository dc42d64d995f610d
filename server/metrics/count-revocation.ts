import { metrics, type TokenResult } from '#server/metrics/metrics.ts';

/** Counts an answer of the revoke endpoint: `answered`, also for a token it does not know, or an error. */
export function countRevocation(result: 'answered' | Exclude<TokenResult, 'issued'>): void {
  metrics().revocations.inc({ result });
}
