import type { AttemptedDelivery, AttemptResult } from '#server/automation/deliveries/attempt-result.ts';
import { pauseEndpoint } from '#server/automation/deliveries/pause-endpoint.ts';
import { CONSECUTIVE_ERRORS_MAX, removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';

/** Numbers of consecutive errors at which owners and admins are notified, before the hook is removed. */
const WARNED_AT = [25, 40] as const;

/** Numbers of consecutive errors that cause a notification or the removal of the hook. */
export const ERROR_MILESTONES: readonly number[] = [...WARNED_AT, CONSECUTIVE_ERRORS_MAX];

/**
 * Reacts to an error of a hook, in the transaction that counted it. Pauses an endpoint after a 410. Removes the hook after a 410 and after
 * the fiftieth consecutive error (docs/spec.md §3). Notifies owners and admins of the removal, and of the
 * 25th and 40th error. Reaches each number once, as the hook's row is locked.
 * @param errors number of consecutive errors; null when this one did not count
 * @param since end of the first of these errors
 */
export async function reactToErrors(
  tx: Tx,
  { hookId, workspaceId, eventKey, isForEndpoint }: AttemptedDelivery,
  { result, errors, since }: { result: AttemptResult; errors: number | null; since: Date | null },
): Promise<void> {
  const now = new Date();
  if (isForEndpoint) {
    await pauseEndpoint(tx, { workspaceId, id: hookId, reason: 'gone', now });
    return;
  }
  // Hooks of the platform get no other events.
  const event = eventKey as EventKey;
  const notify = (content: Parameters<typeof notifyManagers>[1]['content']) =>
    notifyManagers(tx, { workspaceId, content, now });

  const reason = result.kind === 'gone' ? 'gone' : errors === CONSECUTIVE_ERRORS_MAX ? 'failing' : null;
  if (reason) {
    // The hook was already removed, with its own reason.
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
