import { type Checked, checkAll, type Outcome } from '#bench/drills/check-changes.ts';
import { judge } from '#bench/drills/judge.ts';
import type { Refresh } from '#bench/drills/refreshers.ts';
import { countStatuses, type RequestedChange } from '#bench/drills/writers.ts';

/** Waits until all work is done, and checks that no change is lost or incomplete. */
export async function judgeChanges(service: Checked, requested: RequestedChange[]): Promise<Outcome> {
  const outcome = await checkAll(service, requested);
  const { lost, half, missing, expected, queued, sending, seconds } = outcome;
  judge(`${lost.length} acknowledged changes lost`, lost.length === 0);
  judge(`${half.length} incomplete changes ${half.slice(0, 3).join('; ')}`, half.length === 0);
  judge(`${missing} of ${expected} deliveries lost`, missing === 0);
  judge(
    `${queued} mails still queued and ${sending} half sent, ${seconds.toFixed(1)} s after all deliveries`,
    queued + sending === 0,
  );
  return outcome;
}

/**
 * Checks the statuses of refreshes: a platform may treat any status other than `200` or `503` as a
 * disconnection.
 */
export function judgeRefreshes(statuses: Refresh[]): void {
  const others = statuses.filter(({ status }) => status !== 200 && status !== 503);
  judge(
    `the token endpoint returned only 200 or 503 (${countStatuses(statuses)})`,
    statuses.length > 0 && others.length === 0,
  );
}
