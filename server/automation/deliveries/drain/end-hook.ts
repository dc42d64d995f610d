import { checkStillAllowed } from '#server/automation/connections/end-connection.ts';
import { cancelDeliveries } from '#server/automation/deliveries/cancel-deliveries.ts';
import { type DrainerState, STARVED_MS } from '#server/automation/deliveries/drain/drainer-state.ts';
import type { Lane } from '#server/automation/deliveries/drain/lane.ts';
import type { DueHook } from '#server/automation/deliveries/drain/read-due.ts';
import { inTransaction } from '#server/core/database/db.ts';
import { log } from '#server/core/log.ts';

/**
 * Ends the deliveries of a removed hook, or the connection of a teammate who may not connect any more. Nothing of the
 * hook is read meanwhile. What fails is tried again soon. Never rejects.
 * @param read reads what is due once more
 */
export async function endHook(
  { lanes }: DrainerState,
  { lane, hook }: { lane: Lane; hook: DueHook },
  read: () => void,
): Promise<void> {
  lane.ending = true;
  try {
    if (!hook.isLive) await cancelDeliveries(lane.hookId, [...lane.busy]);
    else {
      const { connectionId: id, workspaceId, userId } = hook;
      await inTransaction((tx) => checkStillAllowed(tx, { id, workspaceId, userId }));
      lane.hungry = true;
    }
  } catch (error) {
    log().warn({ err: error, hookId: lane.hookId }, 'hook.not_ended');
    setTimeout(() => {
      lanes.wake([lane.hookId]);
      read();
    }, STARVED_MS).unref();
  } finally {
    lane.ending = false;
  }
  read();
}
