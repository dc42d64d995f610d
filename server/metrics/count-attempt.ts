import type { AttemptOutcome } from '#server/generated/prisma/enums.ts';
import { metrics } from '#server/metrics/metrics.ts';

/** Counts an attempt of a delivery with what it met and how long it took, in seconds. */
export function countAttempt({ outcome, seconds }: { outcome: AttemptOutcome; seconds: number }): void {
  const { attempts, attemptSeconds } = metrics();
  attempts.inc({ outcome });
  attemptSeconds.observe(seconds);
}
