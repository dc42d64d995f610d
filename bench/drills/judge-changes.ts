import {
  type CheckedDeliveries,
  checkChanges,
  checkDeliveries,
  untilMailed,
} from '#bench/drills/check-changes.ts';
import type { DrilledService } from '#bench/drills/drilled-service.ts';
import { judge } from '#bench/drills/judge.ts';
import type { Refresh } from '#bench/drills/refreshers.ts';
import { countStatuses, type RequestedChange } from '#bench/drills/writers.ts';

/**
 * Outcome of all requested changes. `complete`: number of complete changes; `unsent`: number of mails given up.
 */
export type JudgedChanges = CheckedDeliveries & { complete: number; unsent: number };

/** Waits until all work is done, and checks that no change is lost or incomplete. */
export async function judgeChanges(
  service: DrilledService,
  requested: RequestedChange[],
): Promise<JudgedChanges> {
  const { workspaceId } = service.stage;
  const deliveries = await checkDeliveries(service);
  const { failed: unsent, queued, sending, seconds } = await untilMailed(workspaceId);
  const { half, lost, complete } = await checkChanges(workspaceId, requested);
  judge(`${lost.length} acknowledged changes lost`, lost.length === 0);
  judge(`${half.length} incomplete changes ${half.slice(0, 3).join('; ')}`, half.length === 0);
  judge(`${deliveries.missing} of ${deliveries.expected} deliveries lost`, deliveries.missing === 0);
  judge(
    `${queued} mails still queued and ${sending} half sent, ${seconds.toFixed(1)} s after all deliveries`,
    queued + sending === 0,
  );
  return { ...deliveries, complete, unsent };
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
