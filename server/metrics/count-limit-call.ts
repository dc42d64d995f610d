import type { LimitName } from '#server/limits/limits.ts';
import { type LimitResult, metrics } from '#server/metrics/metrics.ts';

/** Counts a call of a limit and whether it passed. */
export function countLimitCall(limit: LimitName, result: LimitResult): void {
  metrics().limitCalls.inc({ limit, result });
}
