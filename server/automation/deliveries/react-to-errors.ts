import type { AttemptResult } from '#server/automation/deliveries/attempt-result.ts';
import type { AttemptedDelivery } from '#server/automation/deliveries/dispatch/record-attempts.ts';
import { CONSECUTIVE_ERRORS_MAX, removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/** At so many errors in a row the workspace's owners and admins are notified, before the hook is removed. */
const WARNED_AT = [25, 40] as const;

/** The numbers of errors in a row at which more happens than counting. */
export const ERROR_MILESTONES: readonly number[] = [...WARNED_AT, CONSECUTIVE_ERRORS_MAX];

/**
 * What follows the errors of a hook, in the transaction that counted the last of them: at 410 and at the fiftieth in a
 * row it is removed (spec.md §3), and owners and admins are notified of that and of the 25th and 40th. Each number is
 * reached once, as the hook's row is locked.
 * @param errors how many there are in a row now; null when this one did not count
 * @param since when the first of them ended
 */
export async function reactToErrors(
  tx: Tx,
  { hookId, workspaceId, eventKey: event }: AttemptedDelivery,
  { result, errors, since }: { result: AttemptResult; errors: number | null; since: Date | null },
): Promise<void> {
  const now = new Date();
  const notify = (content: Parameters<typeof notifyManagers>[1]['content']) =>
    notifyManagers(tx, { workspaceId, content, now });

  const reason = result.kind === 'gone' ? 'gone' : errors === CONSECUTIVE_ERRORS_MAX ? 'failing' : null;
  if (reason) {
    // The reason is that of the earlier removal.
    if ((await removeHooks(tx, { workspaceId, id: hookId }, reason)) === 0) return;
    const failedBefore = errors !== null && errors > 1;
    const failingSince = failedBefore ? timestampOrNull(since) : null;
    await notify({ kind: 'hook_removed', data: { hookId, event, reason, since: failingSince } });
    return;
  }
  const count = WARNED_AT.find((number) => number === errors);
  if (!count) return;
  const lastStatus = 'response' in result ? result.response.statusCode : null;
  await notify({
    kind: 'hook_failing',
    data: { hookId, event, count, since: timestamp(since ?? now), lastStatus },
  });
}
